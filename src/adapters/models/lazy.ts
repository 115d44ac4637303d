import type { Model, ModelPart } from '../../ports/model.ts'

/** A model that is loaded when it is first asked. One that cannot be loaded answers with why. */
export function lazyModel(label: string, load: () => Promise<Model>): Model {
  let loading: Promise<Model> | undefined
  return {
    label,
    async *stream(...asked): AsyncGenerator<ModelPart> {
      let model: Model
      try {
        model = await (loading ??= load())
      } catch (error) {
        return yield { type: 'failed', failure: { kind: 'credentials', message: (error as Error).message } }
      }
      yield* model.stream(...asked)
    },
  }
}
