/**
 * The part of JSON Schema our tools use. The literal is what the model is shown, what input is checked against, and,
 * through `InputOf`, the type the tool receives: one declaration, no library to load at start.
 */
export type FieldSchema =
  | { type: 'string'; description?: string; enum?: readonly string[] }
  | { type: 'integer' | 'number'; description?: string; minimum?: number; maximum?: number }
  | { type: 'boolean'; description?: string }
  | { type: 'array'; description?: string; items: FieldSchema | ObjectSchema }
  | ObjectSchema

export interface ObjectSchema {
  type: 'object'
  description?: string
  properties: Record<string, FieldSchema>
  required?: readonly string[]
  additionalProperties: false
}

/** A schema of somebody else's: shown to the model as it is. Whoever made it checks the input. */
export interface ForeignSchema {
  foreign: Record<string, unknown>
}

type FieldOf<F> = F extends { type: 'string' }
  ? string
  : F extends { type: 'integer' | 'number' }
    ? number
    : F extends { type: 'boolean' }
      ? boolean
      : F extends { type: 'array'; items: infer I }
        ? FieldOf<I>[]
        : F extends ObjectSchema
          ? InputOf<F>
          : never

type RequiredKeys<S extends ObjectSchema> = S['required'] extends readonly (infer K)[]
  ? Extract<K, keyof S['properties']>
  : never

export type InputOf<S extends ObjectSchema> = {
  [K in RequiredKeys<S>]: FieldOf<S['properties'][K]>
} & {
  [K in Exclude<keyof S['properties'], RequiredKeys<S>>]?: FieldOf<S['properties'][K]>
}

/** The problems of an input, each saying where; none for a good one. */
export function checkInput(schema: ObjectSchema | ForeignSchema, value: unknown): string[] {
  if ('foreign' in schema) return isObject(value) ? [] : ['input must be an object']
  const problems: string[] = []
  checkObject(schema, value, '', problems)
  return problems
}

function checkObject(schema: ObjectSchema, value: unknown, at: string, problems: string[]): void {
  if (!isObject(value)) {
    problems.push(`${at || 'input'} must be an object`)
    return
  }
  const object = value
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(object, key)) problems.push(`${join(at, key)} is missing`)
  }
  for (const [key, field] of Object.entries(object)) {
    const expected = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
    if (expected) checkField(expected, field, join(at, key), problems)
    else problems.push(`${join(at, key)} is unknown; known: ${Object.keys(schema.properties).join(', ')}`)
  }
}

function checkField(schema: FieldSchema, value: unknown, at: string, problems: string[]): void {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') problems.push(`${at} must be a string`)
      else if (schema.enum && !schema.enum.includes(value))
        problems.push(`${at} must be one of ${schema.enum.join(', ')}`)
      return
    case 'integer':
    case 'number':
      if (schema.type === 'integer' && !Number.isSafeInteger(value))
        problems.push(`${at} must be a whole number`)
      else if (!Number.isFinite(value)) problems.push(`${at} must be a number`)
      else if (
        (value as number) < (schema.minimum ?? -Infinity) ||
        (value as number) > (schema.maximum ?? Infinity)
      ) {
        problems.push(`${at} must be from ${schema.minimum ?? '-∞'} to ${schema.maximum ?? '∞'}`)
      }
      return
    case 'boolean':
      if (typeof value !== 'boolean') problems.push(`${at} must be true or false`)
      return
    case 'array':
      if (!Array.isArray(value)) problems.push(`${at} must be a list`)
      else value.forEach((item, index) => checkField(schema.items, item, `${at}[${index}]`, problems))
      return
    case 'object':
      checkObject(schema, value, at, problems)
  }
}

const join = (at: string, key: string): string => (at ? `${at}.${key}` : key)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
