/** Keeps the pictures people show to models, by their content. */
export interface Pictures {
  /** The name to read them by. Safe on disk when it returns; none if that failed. */
  keep(bytes: Uint8Array): Promise<string | undefined>
  read(name: string): Promise<Uint8Array | undefined>
  forget(name: string): Promise<void>
}
