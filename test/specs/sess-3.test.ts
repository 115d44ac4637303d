import { describe, expect, test } from 'vitest'
import { recordingModel } from '../../src/engine/engine.test-support.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import type { EngineParts } from '../../src/engine/parts.ts'
import type { ModelRequest } from '../../src/ports/model.ts'
import { type Tool, defineTool } from '../../src/tools/tool.ts'
import { faultServer, says } from '../support/fault-server.ts'
import { Program } from '../support/program.ts'
import { Workbench } from '../support/workbench.ts'

const named = (name: string): Tool =>
  defineTool({
    name,
    description: `the ${name} tool`,
    input: { type: 'object', properties: {}, additionalProperties: false },
    run: async () => ({ success: true, output: `${name} ran` }),
  })

const interactive: NonNullable<EngineParts['interactive']> = {
  orchestrator: {
    agents: [
      { id: 'sonnet', model: 'anthropic/claude-sonnet-5-5', description: 'careful refactoring' },
      { id: 'local', model: 'ollama/qwen3' },
    ],
    require_approval: true,
  },
  launch: {
    require_approval: true,
    agents: [{ id: 'sonnet' }, { id: 'local' }],
    max_new_answers_per_agent: 3,
  },
  append_system_prompt: 'Answer in French.',
}

interface Setup {
  agent?: { identity?: string; label?: string }
  parts?: Partial<EngineParts>
  tools?: Tool[]
}

/** What the interactive agent is asked first. */
async function firstRequest({ agent = {}, parts, tools = [] }: Setup = {}): Promise<ModelRequest> {
  const { model, requests } = recordingModel(scriptedModel([{ text: 'Hello.' }]))
  const label = agent.label ?? 'scripted'
  const bench = new Workbench({
    tools: [named('launch_run'), ...tools],
    parts: {
      interactive,
      agent: async (id) => ({
        id,
        model: { ...model, label },
        ...(agent.identity && { identity: agent.identity }),
      }),
      ...parts,
    },
  })
  await bench.run('hello')
  const [first] = requests
  if (!first) throw new Error('the model was not asked')
  return first
}

const memory: EngineParts['memory'] = async () => ({
  context: 'A shop for tea.',
  paths: [{ path: 'src/cart.ts', description: 'the cart' }],
  deliverables: [],
  problems: [],
})
const project: EngineParts['project'] = async () => ({
  instructions: [],
  skills: [{ name: 'deploy', description: 'puts it online', path: 'x', text: '' }],
})

describe('SESS-3.1 the standard sections', () => {
  test('SESS-3.1 are there when they apply', async () => {
    const agent = { identity: 'You are Ada.', label: 'openai/gpt-5.1' }
    const { system } = await firstRequest({ agent, parts: { memory, project } })
    for (const words of [
      'You are Ada.',
      'Act by default',
      'several calls in one reply',
      'deploy: puts it online',
      'A shop for tea.',
      'src/cart.ts: the cart',
      'Your folder is ',
      'keep a list with todo',
      'Announcing a step is not doing it',
    ]) {
      expect(system).toContain(words)
    }
  })

  test('SESS-3.1 are left out when they do not', async () => {
    const { system } = await firstRequest()
    for (const words of ['You are Ada.', 'skill', 'CONTEXT.md', 'Announcing a step']) {
      expect(system).not.toContain(words)
    }
    const without = await firstRequest({ parts: { tools: [named('launch_run')] } })
    expect(without.system).not.toContain('todo')
  })
})

const coordination = /new_answer|\bvot(e|es|ing)\b|ask_others/i

test('SESS-3.2 nothing of how a team comes to its answer is in the prompt', async () => {
  for (const mode of ['Act', 'Plan'] as const) {
    const { model, requests } = recordingModel(scriptedModel([{ text: 'Hello.' }]))
    const bench = new Workbench({
      model,
      tools: [named('launch_run')],
      parts: { interactive, memory, project },
    })
    await bench.run('hello', { mode })
    expect(requests[0]?.system).not.toMatch(coordination)
  }
})

describe('SESS-3.3 the orchestrator section', () => {
  test('SESS-3.3 names the role, the agents, when and how to launch, and how context flows', async () => {
    const { system } = await firstRequest()
    for (const words of [
      "the person's entry point to Conclave",
      '- sonnet (anthropic/claude-sonnet-5-5): careful refactoring',
      '- local (ollama/qwen3)\n',
      'Answer directly:',
      'Use launch_run:',
      ...['agent_mode:', 'refinement:', 'planning_mode:', 'execute_after_planning:'],
      'a run sees its task and context and nothing else',
      'summaries and references',
      ...['final_answer', 'workspace_path', 'coordination_summary'],
      'may approve, edit or cancel it',
    ]) {
      expect(system).toContain(words)
    }
    expect(system).toMatch(/Answer in French\.$/)
  })

  test('SESS-3.3 follows the config, and is not there without launch_run', async () => {
    const unasked = { ...interactive, orchestrator: { ...interactive.orchestrator, require_approval: false } }
    expect((await firstRequest({ parts: { interactive: unasked } })).system).toContain('start without asking')
    const { system } = await firstRequest({ parts: { tools: [named('todo')] } })
    expect(system).not.toContain('entry point')
  })

  test('SESS-3.3 is generated from the config file', async () => {
    const server = await faultServer(says('hello'))
    const program = new Program().configure(`agents:
  - id: ada
    identity: You are Ada.
    description: knows the build
    backend: { type: openai_compatible, base_url: "${server.url}", model: m, api_key_env: KEY }
orchestrator:
  interactive_mode: { append_system_prompt: "Answer in French." }
`)
    const { code, stderr } = await program.run(['-p', 'hi'], { env: { KEY: 'k' } })
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const sent = JSON.stringify(server.requests)
    expect(sent).toContain('You are Ada.')
    expect(sent).toContain('Answer in French.')
  })
})

test('SESS-3.4 the tools of a team are not among its tools, and calling one does nothing', async () => {
  const ran: string[] = []
  const tools = ['new_answer', 'vote', 'ask_others'].map((name) => ({
    ...named(name),
    run: async () => {
      ran.push(name)
      return { success: true, output: '' }
    },
  }))
  const { model, requests } = recordingModel({
    label: 'stubborn',
    async *stream({ messages }) {
      if (messages.length > 1) yield { type: 'text', text: 'Done.' }
      else yield { type: 'call', id: '1', name: 'vote', arguments: '{}' }
    },
  })
  const bench = new Workbench({ model, tools: [named('launch_run'), ...tools], parts: { interactive } })
  const turn = await bench.run('hello')
  expect(requests[0]?.tools.map(({ name }) => name)).toContain('launch_run')
  expect(JSON.stringify(requests[0]?.tools)).not.toMatch(coordination)
  expect(ran).toEqual([])
  expect(turn.observations?.last).toMatchObject({ tool: 'vote', success: false })
})
