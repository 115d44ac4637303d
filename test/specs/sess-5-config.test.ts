import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/load.ts'
import { Program } from '../support/program.ts'

const agents = 'agents:\n  - id: a\n    backend: { type: rehearsal }\n'

function interactiveMode(lines: string): unknown {
  const loaded = parseConfig('c.yaml', `${agents}orchestrator:\n  interactive_mode: ${lines}\n`)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config.orchestrator.interactive_mode
}

const check = (source: string) => new Program({ 'c.yaml': source }).run(['config', 'check', 'c.yaml'])

test('SESS-5.1 a config takes all fields of interactive_mode', async () => {
  const source = `${agents}orchestrator:
  interactive_mode:
    enabled: false
    require_approval: false
    backend: { type: claude, model: claude-sonnet-4-5 }
    append_system_prompt: Be brief.
    context_compaction: { enabled: false, threshold_tokens: 5000, preserve_recent: 3 }
`
  expect(await check(source)).toEqual({ code: 0, stdout: 'c.yaml is fine: a\n', stderr: '' })
  expect(parseConfig('c.yaml', source)).toMatchObject({
    ok: true,
    config: {
      orchestrator: {
        interactive_mode: {
          enabled: false,
          require_approval: false,
          backend: { type: 'anthropic', model: 'claude-sonnet-4-5' },
          append_system_prompt: 'Be brief.',
          context_compaction: { enabled: false, threshold_tokens: 5000, preserve_recent: 3 },
        },
      },
    },
  })
})

test('SESS-5.1 a config takes no other field there, and says which it knows', async () => {
  const source = `${agents}orchestrator:\n  interactive_mode:\n    require_aproval: true\n    colour: red\n`
  const { code, stderr } = await check(source)
  expect(code).toBe(52)
  expect(stderr).toContain('c.yaml:6:5: orchestrator.interactive_mode.require_aproval is not a known key')
  expect(stderr).toContain('did you mean require_approval?')
  expect(stderr).toContain(
    'known here: enabled, require_approval, backend, append_system_prompt, context_compaction',
  )
})

test('SESS-5.2 fields that are left out have their defaults', () => {
  const all = {
    enabled: true,
    require_approval: true,
    backend: null,
    append_system_prompt: null,
    context_compaction: { enabled: true, threshold_tokens: 100_000, preserve_recent: 10 },
  }
  expect(interactiveMode('{}')).toEqual(all)
  expect(interactiveMode('{ enabled: false }')).toEqual({ ...all, enabled: false })
  expect(interactiveMode('{ context_compaction: { preserve_recent: 2 } }')).toEqual({
    ...all,
    context_compaction: { ...all.context_compaction, preserve_recent: 2 },
  })
})

test('SESS-5.3 wrong values are all reported with their place, the line, a caret and a suggestion', async () => {
  const { code, stdout, stderr } = await check(`${agents}timeout_settings:
  orchestrator_timeout_seconds: -600
orchestrator:
  interactive_mode:
    require_approval: yes
    backend: gpt-5
    context_compaction: { threshold_tokens: 100k }
`)
  expect({ code, stdout }).toEqual({ code: 52, stdout: '' })
  const place = 'orchestrator.interactive_mode'
  expect(stderr)
    .toBe(`conclave: c.yaml:5:33: timeout_settings.orchestrator_timeout_seconds: expected a number above 0, found -600
  5 |   orchestrator_timeout_seconds: -600
    |                                 ^
  did you mean 600? (left out, it is 1800)
c.yaml:8:23: ${place}.require_approval: expected true or false, found "yes"
  8 |     require_approval: yes
    |                       ^
  did you mean true?
c.yaml:9:14: ${place}.backend: expected a map with type, model, base_url, api_key_env, … or null, found "gpt-5"
  9 |     backend: gpt-5
    |              ^
  did you mean { type: openai, model: gpt-5 }?
c.yaml:10:45: ${place}.context_compaction.threshold_tokens: expected a whole number above 0, found "100k"
  10 |     context_compaction: { threshold_tokens: 100k }
     |                                             ^
  did you mean 100000?
`)
})
