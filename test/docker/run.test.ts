import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import { contextOf, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { Program, readResult } from '../support/program.ts'
import { TeamBench, answers, gated, votesFor } from '../support/team-bench.ts'
import { team } from '../support/team-config.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { betweenUs } from './between-us.ts'
import { IMAGE } from './settings.ts'

const docker = useDocker()

const runs = (command: string): ScriptedReply => ({ calls: [{ name: 'shell', input: { command } }] })

/** Two agents of which the first works, wins and presents; its presentation writes a context path. */
const agents = (context: string): Record<string, ScriptedReply[]> => ({
  a: [
    runs('echo draft > draft.txt'),
    answers('apples'),
    votesFor('apples'),
    runs(`cp draft.txt ${context}/final.txt`),
    { text: 'Written.' },
  ],
  b: [answers('bananas'), votesFor('apples')],
})

const execution = `execution: { mode: docker, docker: { image: ${IMAGE}, memory: 512m, cpus: 1, pids: 64 } }\n`

// Security test 17, in a run.
testWith(
  'docker',
  'a run whose process is killed between removing and making anew the container goes on to the same end',
  async () => {
    const context = temporaryFolder()
    const program = team(new Program(), agents(context), execution)
    const flags = ['--permission-mode', 'auto', '--context-path', `${context}:write`]
    const { host, onCreate } = await betweenUs(docker)
    const args = ['-p', 'write', ...flags, '--output-format', 'stream-json']
    const first = program.start(args, { env: { DOCKER_HOST: host } })
    let created = 0
    onCreate(() => {
      created += 1
      // The second one is the presenter's: the one it had is gone by now.
      if (created === 2) first.signal('SIGKILL')
      return created < 2
    })
    const { code, stdout } = await first.ended
    expect([code, created]).toEqual([null, 2])
    expect(stdout).toContain('presentation.started')
    expect(fs.readdirSync(context)).toEqual([])
    expect(await docker.whatStays()).toEqual([])

    const chat = /chat_[\w-]+/u.exec(stdout)?.[0] ?? ''
    const again = ['-p', '--resume', chat, ...flags, '--output-format', 'json']
    const ended = await program.run(again, { env: { DOCKER_HOST: docker.host } })
    expect([ended.code, ended.stderr]).toEqual([0, ''])
    expect(readResult(ended.stdout)).toMatchObject({ status: 'complete', final_answer: 'Written.' })
    expect(fs.readFileSync(path.join(context, 'final.txt'), 'utf8')).toBe('draft\n')
    expect(fs.readFileSync(path.join(program.folder, 'draft.txt'), 'utf8')).toBe('draft\n')
    expect(await docker.whatStays()).toEqual([])
    const data = path.join(program.home, '.local/share/conclave/workspaces')
    expect(fs.readdirSync(data)).toEqual([])
  },
)

testWith(
  'docker',
  'a presentation whose container cannot be made ends the run as a failure, and runs nothing on the host',
  async () => {
    const context = temporaryFolder()
    const containers = await docker.open()
    onTestFinished(() => docker.start())
    const { a = [], b = [] } = agents(context)
    const bench: TeamBench = new TeamBench({
      containers,
      agents: { a: gated(a, { 1: () => docker.halt() }, () => bench), b },
      settings: { context_paths: [contextOf(context, 'write')] },
    })
    const run = await bench.run('write')
    expect(run.finished).toMatchObject({
      status: 'failed',
      failure: { kind: 'sandbox', message: expect.stringContaining('the container cannot be made') },
      // What was voted for is not lost.
      final_answer: expect.stringMatching(/^apples/),
    })
    expect(fs.readdirSync(context)).toEqual([])
    expect(bench.events('agent.started').at(-1)).toMatchObject({ agent_id: 'a', purpose: 'present' })
    expect(bench.told('a')).not.toContain('The team has chosen')
  },
)

testWith(
  'docker',
  'one agent that cannot have its writable container at the start does not begin',
  async () => {
    const context = temporaryFolder()
    const containers = await docker.open()
    await docker.halt()
    onTestFinished(() => docker.start())
    const bench = new TeamBench({
      containers,
      team: 'single',
      refinement: false,
      agents: { a: [runs(`touch ${context}/a; touch here`), answers('done')] },
      settings: { context_paths: [contextOf(context, 'write')] },
    })
    const run = await bench.run('write')
    expect(run.finished).toMatchObject({ status: 'failed', failure: { kind: 'sandbox' } })
    expect(bench.requests['a']).toEqual([])
    expect([...fs.readdirSync(context), fs.existsSync(path.join(bench.folder, 'here'))]).toEqual([false])
  },
)

testWith(
  'docker',
  'agents in containers read the installed dependencies that their copies link to',
  async () => {
    const containers = await docker.open()
    const bench = new TeamBench({
      containers,
      files: { '.gitignore': 'node_modules\n', 'node_modules/left/index.js': 'left\n', 'a.txt': 'a\n' },
      agents: { a: [runs('cat node_modules/left/index.js; touch node_modules/x'), answers('seen')] },
      settings: { override: 'continue' },
      strategy: 'winner_reuse',
    })
    const run = await bench.run('look')
    const [shell] = bench.envelopes.flatMap(({ event }) =>
      event.type === 'tool.finished' ? [event.output] : [],
    )
    expect(shell).toMatch(/^left\n.*Read-only file system/su)
    expect(run.finished?.final_answer).toBe('seen')
    expect(await docker.whatStays()).toEqual([])
  },
)

testWith(
  'docker',
  'what an agent leaves running ends with its turn, and a run that is interrupted leaves no container',
  async () => {
    const containers = await docker.open()
    const beats = temporaryFolder()
    const bench: TeamBench = new TeamBench({
      containers,
      agents: {
        a: [
          { calls: [{ name: 'shell', input: { command: 'touch going; sleep 300', background: true } }] },
          runs('while [ ! -e going ]; do sleep 0.05; done'),
          answers('apples'),
          { ...votesFor('apples'), delay_ms: 20_000 },
        ],
        b: [answers('bananas'), { ...votesFor('apples'), delay_ms: 20_000 }],
      },
      settings: { context_paths: [contextOf(beats, 'write')] },
    })
    await bench.start('go')
    await bench.until(({ event }) => event.type === 'voting.opened')
    const [one] = await docker.containers()
    const top = (await docker.api.call('GET', `/containers/${one?.Id}/top`)) as { Processes: string[][] }
    expect(top.Processes.length).toBeGreaterThan(0)
    expect(top.Processes.flat().join(' ')).not.toContain('sleep 300')
    await bench.must({ type: 'interrupt', chat_id: bench.chat })
    await bench.engine.whenIdle(bench.chat)
    expect(bench.events('run.finished')).toMatchObject([{ status: 'cancelled' }])
    expect(await docker.whatStays()).toEqual([])
  },
)
