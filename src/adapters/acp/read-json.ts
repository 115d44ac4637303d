/** What an agent sends is read piece by piece: agents are of many versions, and one odd field must not stop a turn. */
export type Json = Record<string, unknown>

export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asObject) : [])

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
