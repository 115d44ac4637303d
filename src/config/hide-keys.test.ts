import { expect, test } from 'vitest'
import { hideKeys, maskKeys } from './hide-keys.ts'

test.each([
  ['api_key: sk-1', 'api_key: [key]'],
  ['  "api_key": "sk-1"', '  "api_key": [key]'],
  ['{ type: openai, api_key: sk-1, model: x }', '{ type: openai, api_key: [key], model: x }'],
  ['headers: { X-Api-Key: sk-1 }', 'headers: { X-Api-Key: [key]}'],
  ['    Authorization: Bearer sk-1', '    Authorization: [key]'],
  ['api_key_env: sk-1-not-a-name\n', 'api_key_env: [key]\n'],
])('%s', (source, shown) => {
  expect(hideKeys(source)).toBe(shown)
})

test.each([
  'api_key_env: OPENAI_API_KEY\n',
  '{ api_key_env: MINE }',
  'api_key_command: [pass, show, x]',
  'model: x',
])('leaves %s alone', (source) => {
  expect(hideKeys(source)).toBe(source)
})

test('hides what looks like a key wherever it stands', () => {
  expect(hideKeys('- "sk-0123456789abcdefghijk"')).toBe('- "[key]"')
  expect(hideKeys('    DISCORD_TOKEN: abc')).toBe('    DISCORD_TOKEN: [key]')
  expect(maskKeys('use ghp_0123456789abcdefghijk here')).toBe('use [key] here')
  expect(maskKeys('the sk-learn-based-pipeline-module')).toBe('the sk-learn-based-pipeline-module')
})

test.each(['DISCORD_TOKEN: ${DISCORD_TOKEN}\n', 'max_tokens: 5', 'threshold_tokens: 100'])(
  'leaves %s alone too',
  (source) => {
    expect(hideKeys(source)).toBe(source)
  },
)
