import type { Model, ModelPart } from '../../../ports/model.ts'
import type { Failure } from '../../../schema/failure.ts'

/** The same model, whose failures never hold these secrets: servers have been seen to repeat the key they refuse. */
export function withoutSecrets(model: Model, secrets: readonly (string | undefined)[]): Model {
  const hidden = secrets.flatMap((secret) => (secret && secret.length >= SHORTEST ? variants(secret) : []))
  if (hidden.length === 0) return model
  return {
    ...model,
    async *stream(...asked): AsyncGenerator<ModelPart> {
      for await (const part of model.stream(...asked)) {
        if (part.type === 'failed') yield { ...part, failure: hideIn(part.failure, hidden) }
        else if (part.type === 'retrying') yield { ...part, reason: hide(part.reason, hidden) }
        else yield part
      }
    },
  }
}

/** Less than this is no secret, and would be found in ordinary words. */
const SHORTEST = 4

function hideIn(failure: Failure, hidden: string[]): Failure {
  return {
    ...failure,
    message: hide(failure.message, hidden),
    ...(failure.hint && { hint: hide(failure.hint, hidden) }),
  }
}

const hide = (text: string, hidden: string[]): string =>
  hidden.reduce((shown, secret) => shown.replaceAll(secret, '[key]'), text)

/** As it is, and as addresses and headers write it. */
const variants = (secret: string): string[] => [
  ...new Set([secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]),
]
