import { expect, test } from 'vitest'
import type { ModelHost, ModelPart } from '../../../ports/model.ts'
import { withoutSecrets } from './without-secrets.ts'

const key = 'sk-a/b+c'

async function pass(secrets: (string | undefined)[], ...sent: ModelPart[]): Promise<ModelPart[]> {
  const model = withoutSecrets(
    {
      label: 'm',
      async *stream() {
        yield* sent
      },
    },
    secrets,
  )
  const request = { system: '', messages: [], tools: [] }
  const parts: ModelPart[] = []
  for await (const part of model.stream(
    request,
    new AbortController().signal,
    undefined as unknown as ModelHost,
  ))
    parts.push(part)
  return parts
}

test('hides the key in every part that tells of a failure, however it is written', async () => {
  const coded = `${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString('base64')}`
  const failure = {
    kind: 'model',
    message: `refused: ${coded}`,
    hint: `try ${key}`,
    retryable: true,
  } as const
  expect(
    await pass(
      [undefined, key],
      { type: 'retrying', attempt: 1, delay_ms: 0, reason: `not ${key}` },
      { type: 'failed', failure, throttled: true },
    ),
  ).toEqual([
    { type: 'retrying', attempt: 1, delay_ms: 0, reason: 'not [key]' },
    {
      type: 'failed',
      failure: { kind: 'model', message: 'refused: [key] [key] [key]', hint: 'try [key]', retryable: true },
      throttled: true,
    },
  ])
})

test('leaves everything else alone, and does not take a short word for a secret', async () => {
  const parts: ModelPart[] = [
    { type: 'text', text: 'words' },
    { type: 'failed', failure: { kind: 'model', message: 'a or b' } },
  ]
  expect(await pass([key, 'or'], ...parts)).toEqual(parts)
})
