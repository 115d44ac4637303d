/** The world failed. Failures are data: they travel inside events and are never thrown. */
export interface Failure {
  kind: FailureKind
  /** What happened, and where. */
  message: string
  /** What a person can do next. */
  hint?: string
  /** The same call may succeed later. */
  retryable?: boolean
  /** How long the provider asked to wait before that. */
  retry_after_ms?: number
}

export type FailureKind =
  | 'model' // the provider answered with an error or nonsense
  | 'context' // the request does not fit into the model's context
  | 'network' // the provider could not be reached, or went silent
  | 'credentials' // no key, or a refused one
  | 'input' // what the user gave cannot be used
  | 'tool' // a tool could not do its work
  | 'storage' // the journal could not be read or written
  | 'sandbox' // no sandbox or Docker where one is required
  | 'limit' // iterations, tokens, money or time ran out
  | 'bug' // ours
