import type { ModelRequest } from '../../../ports/model.ts'

/** JSON in which the order of keys says nothing. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** What the model reads of a request. A cache key is for its server only. */
export function comparable({ system, messages, tools, output_schema }: ModelRequest): ModelRequest {
  return { system, messages, tools, ...(output_schema && { output_schema }) }
}
