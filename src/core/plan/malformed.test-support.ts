/** A small generator of pseudo-random numbers: the same seed gives the same texts, on every machine. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const plan = {
  goal: 'Rename “total” to orderTotal {everywhere}',
  steps: [
    { step_number: 1, action: 'Search for \\"total\\"', reason: 'to know', tools_needed: ['search_code'] },
    {
      step_number: 2,
      action: 'Change src/a.ts',
      reason: '',
      tools_needed: ['update_file'],
      files: ['src/a.ts'],
    },
  ],
  estimated_total_time: '3 min',
  risks: ['a // comment-like risk', 'a } brace'],
  prerequisites: [],
}
const question = {
  type: 'question',
  question: 'Rename in the docs too?',
  context: 'They say `total` {twice}',
  severity: 'minor',
  options: [
    { label: 'Yes', value: 'yes', description: 'all of them' },
    { label: 'No', value: 'no' },
  ],
  default: 'no',
}

const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1e308, '', '   ', '1', 'Act', [], {}, [[]], [null], [{}], { length: 1 }],
  ...['\u0000', '\ud800', '𝒢oal', '\u202egoal', 'x'.repeat(5_000), { toString: 1 }, { 0: 'a' }],
]
const noise = [
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '`',
  ',',
  ':',
  '\\',
  '/*',
  '*/',
  '//',
  '\n',
  '```',
  '```json\n',
  '\u2028',
]

type Random = () => number
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T

/** A plan or a question as a careless model might write it. */
export function malformed(random: Random): string {
  let value: unknown = structuredClone(random() < 0.5 ? plan : question)
  for (let left = Math.floor(random() * 3); left > 0; left--) value = disturb(random, value)
  let text = JSON.stringify(value, null, pick(random, [undefined, 2, '\t'])) ?? 'undefined'
  for (let left = Math.floor(random() * 4); left > 0; left--) text = pick(random, spoils)(random, text)
  return text
}

/** Changes one field somewhere in the value. */
function disturb(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.1) return pick(random, values)
  const keys = Object.keys(value)
  const key = pick(random, [...keys, '__proto__', 'constructor', 'steps', 'goal', 'options'])
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const how = random()
  if (how < 0.2) delete copy[key]
  else if (how < 0.5) Object.defineProperty(copy, key, field(pick(random, values)))
  else if (how < 0.6) return { plan: value, question: value }
  else if (Object.hasOwn(copy, key)) Object.defineProperty(copy, key, field(disturb(random, copy[key])))
  return copy
}

const field = (value: unknown) => ({ value, enumerable: true, configurable: true, writable: true })

const spoils: readonly ((random: Random, text: string) => string)[] = [
  (random, text) => text.slice(0, Math.floor(random() * text.length)),
  (random, text) => text.slice(Math.floor(random() * text.length)),
  (random, text) => insert(random, text, pick(random, noise)),
  (random, text) => insert(random, text, pick(random, noise).repeat(50)),
  (_random, text) => text.replaceAll(/([}\]])/g, ',$1'),
  (_random, text) => text.replaceAll('"', "'"),
  (_random, text) => text.replaceAll('\n', ' // why\n'),
  (_random, text) => text.replaceAll(',', ', /* and */'),
  (_random, text) => `Here is {my} plan:\n\`\`\`json\n${text}\n\`\`\`\nShall I go on? {yes}`,
  (_random, text) => `if (a) { b()\n${text}`,
  (_random, text) => `${text}\n${text}`,
  (_random, text) => `[${text}, ${text}]`,
  (_random, text) => JSON.stringify(text),
  (_random, text) => `<think>{"goal": "no"}</think>${text}`,
]

function insert(random: Random, text: string, what: string): string {
  const at = Math.floor(random() * text.length)
  return text.slice(0, at) + what + text.slice(at)
}

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** What has broken parsers before. */
export const nasties: readonly string[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '{}',
    '[]',
    '[{}]',
    'null',
    '"',
    '\\',
    '{"',
    '{"goal',
    '{"goal":',
    '{"goal":}',
    '{,}',
  ],
  ...['{'.repeat(100_000), '}'.repeat(100_000), '{"a":'.repeat(10_000), deep('[', ']', 10_000)],
  ...[deep('{"a":', '}', 5_000), '{"goal": "g", "steps": [', '"'.repeat(99_999), '{"'.repeat(20_000)],
  ...[
    '/*'.repeat(50_000),
    `{${'/*'.repeat(50_000)}}`,
    `{${','.repeat(100_000)}}`,
    `{"a":"${'\\'.repeat(99_999)}"}`,
  ],
  `{"goal":"${'x'.repeat(200_000)}","steps":[{"action":"a"}]}`,
  `{"goal":"g","steps":[${'{"action":"a"},'.repeat(5_000)}]}`,
  `{"goal":"g","steps":[${Array.from({ length: 101 }, () => '{"action":"a"}').join()}]}`,
  `{"type":"question","question":"q","options":[${Array.from({ length: 5_000 }, (_, i) => `"${i}"`).join()}]}`,
  '{"__proto__":{"goal":"g","steps":[{"action":"a"}]}}',
  '{"constructor":{"prototype":{"goal":"g"}},"goal":"g","steps":[{"__proto__":{"action":"a"}}]}',
  '{"goal":"g","steps":{"0":{"action":"a"},"length":1}}',
  '{"goal":{"toString":"g"},"steps":[{"action":["a"]}]}',
  '{"goal":1,"steps":[{"action":2,"step_number":"one"},{"action":"b","step_number":1}]}',
  '{"goal":"\ud83d","steps":["\udc00"]}',
  '{"type":"question","question":"q","options":[{"value":"a"},{"value":"a"}]}',
  '{"type":"question","question":{"question":"q"},"options":"ab","default":["a"]}',
  '{"type":["question"],"question":"q"}',
  '\ufeff{"goal":"g","steps":[{"action":"a"}]}',
  '{"goal":"g","steps":[{"action":"a"}]}'.repeat(2_000),
]
