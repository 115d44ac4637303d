import type { ModelMessage } from '../ports/model.ts'
import type { Picture } from '../schema/picture.ts'

/** What a model is told, with pictures only named: their bytes are read when a request is made. */
export type ToldMessage =
  | Exclude<ModelMessage, { role: 'user' }>
  | { role: 'user'; text: string; pictures?: readonly Picture[] }
