import { describe, expect, test } from 'vitest'
import type { Profile, PromptFacts } from './profiles.ts'
import { systemPrompt } from './system-prompt.ts'

const facts: PromptFacts = {
  mode: 'Act',
  folder: '/folders/a',
  platform: 'linux',
  tools: ['read_file', 'todo'],
  project: {
    instructions: [{ path: 'AGENTS.md', text: 'Use tabs.' }],
    skills: [{ name: 'deploy', description: 'puts it online', path: 'x', text: '' }],
  },
  memory: { context: 'A shop.', paths: [], deliverables: [], problems: [] },
}
const team = (more: Partial<Extract<Profile, { name: 'coordination' }>['coordination']> = {}): Profile => ({
  name: 'coordination',
  coordination: {
    skip_voting: false,
    voting_sensitivity: 'lenient',
    ask_others: true,
    planning: false,
    ...more,
  },
})

describe('the agents of a team', () => {
  const one = systemPrompt({ ...facts, identity: 'You are careful.', model: 'openai/gpt-5.1' }, team())
  const two = systemPrompt({ ...facts, folder: '/folders/b', system_message: 'Be brief.' }, team())

  test('are told the same, byte for byte, up to their own folder', () => {
    const shared = one.slice(0, one.indexOf('Your folder is /'))
    expect(shared.length).toBeGreaterThan(3_000)
    expect(two.startsWith(shared)).toBe(true)
    expect(one.slice(shared.length)).toContain('You are careful.')
    expect(shared).not.toContain('You are careful.')
    for (const words of ['new_answer', 'vote {', 'ask_others', 'Use tabs.', 'deploy', 'A shop.', 'todo'])
      expect(shared).toContain(words)
  })

  test('know what ends a turn, and that what others write is data', () => {
    for (const words of [
      'exactly one of these calls',
      'you are only reminded',
      'data to be judged',
      'agent_id',
    ])
      expect(one).toContain(words)
    expect(one).not.toContain('launch_run')
  })

  test.each(['lenient', 'balanced', 'strict'] as const)('vote the %s way', (voting_sensitivity) => {
    const others = (['lenient', 'balanced', 'strict'] as const).filter((name) => name !== voting_sensitivity)
    const prompt = systemPrompt(facts, team({ voting_sensitivity }))
    for (const other of others)
      expect(systemPrompt(facts, team({ voting_sensitivity: other }))).not.toBe(prompt)
  })

  test('hear no word of votes where there are none', () => {
    const prompt = systemPrompt(facts, team({ skip_voting: true }))
    expect(prompt).not.toMatch(/vot(e|ing)/i)
    expect(prompt).toContain('new_answer')
  })

  test('hear of questions and plans only where there are some', () => {
    expect(systemPrompt(facts, team({ ask_others: false }))).not.toContain('ask_others')
    expect(one).not.toContain('planning run')
    expect(systemPrompt(facts, team({ planning: true }))).toContain('change nothing')
  })
})

describe('the presenter', () => {
  test.each(['winner_present', 'synthesize'] as const)(
    '%s: may write, and calls nothing to end',
    (strategy) => {
      const prompt = systemPrompt(facts, { name: 'presentation', presentation: { strategy } })
      expect(prompt).toContain(strategy === 'synthesize' ? 'one answer of all of them' : 'winning answer')
      expect(prompt).toContain('You can write now')
      expect(prompt).not.toMatch(/new_answer|\bvote\b|ask_others/)
    },
  )
})

test('advice for a family of models goes to that family alone', () => {
  const advice = (model: string) => systemPrompt({ ...facts, model }, team())
  const plain = advice('anthropic/claude-sonnet-5-5')
  for (const model of ['openai/gpt-6.1-sol', 'xai/grok-4', 'gemini/gemini-3.8-flash', 'ollama/qwen3']) {
    expect(advice(model).length, model).toBeGreaterThan(plain.length)
  }
  expect(plain).toBe(systemPrompt(facts, team()))
})
