import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { RunState } from '../../src/core/run/state.ts'
import { type Docker, type Inspected, contextOf, useDocker } from '../support/docker.ts'
import { testWith } from '../support/needs.ts'
import { TeamBench, type TeamOptions, answers, gated, votesFor } from '../support/team-bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const docker = useDocker()
const SOON = { timeout: 20_000 }

const runs = (command: string): ScriptedReply => ({ calls: [{ name: 'shell', input: { command } }] })

/** A team in containers that may write one context path. */
async function makeBench(context: string, options: TeamOptions): Promise<TeamBench> {
  const containers = await docker.open()
  return new TeamBench({
    ...options,
    containers,
    settings: { context_paths: [contextOf(context, 'write')], ...options.settings },
  })
}

const outputs = (bench: TeamBench): string[] =>
  bench.envelopes.flatMap(({ event }) => (event.type === 'tool.finished' ? [event.output] : []))

/** Paths outside the folder first. */
const written = ({ writes }: RunState): string[] => (writes?.files ?? []).map((file) => file.path).sort()

const canWrite = ({ Mounts }: Inspected, at: string): boolean =>
  Mounts.some(({ Destination, RW }) => Destination === at && RW)

/** The containers now, each with whether it can write these paths. */
const look = async (at: Docker, ...paths: string[]) =>
  (await at.containers()).map((each) => ({
    id: each.Id,
    writes: paths.map((wanted) => canWrite(each, wanted)),
  }))

testWith(
  'docker',
  'MODE-11.1 in Docker the container of one agent without refinement is writable from the start',
  async () => {
    const context = temporaryFolder()
    let atStart: Awaited<ReturnType<typeof look>> = []
    const bench: TeamBench = await makeBench(context, {
      team: 'single',
      refinement: false,
      agents: {
        a: gated(
          [runs(`echo written > ${context}/a.txt && echo mine > b.txt`), answers('it is written')],
          { 0: async (self) => (atStart = await look(docker, context, self.folder)) },
          () => bench,
        ),
      },
    })
    const run = await bench.run('write a.txt')

    expect(atStart).toEqual([{ id: expect.any(String), writes: [true, true] }])
    expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'it is written' })
    expect(fs.readFileSync(path.join(context, 'a.txt'), 'utf8')).toBe('written\n')
    expect(fs.readFileSync(path.join(bench.folder, 'b.txt'), 'utf8')).toBe('mine\n')
    expect(written(run)).toEqual([path.join(context, 'a.txt'), 'b.txt'])
    expect(await docker.whatStays()).toEqual([])
  },
)

testWith(
  'docker',
  'MODE-11.2 in Docker a quick team can write the context paths in the presentation and not before',
  async () => {
    const context = temporaryFolder()
    const early = runs(`echo early > mine.txt; echo early > ${context}/early.txt`)
    const bench = await makeBench(context, {
      refinement: false,
      agents: {
        a: [
          early,
          answers('apples'),
          votesFor('apples'),
          runs(`echo late > ${context}/late.txt`),
          { text: 'Written.' },
        ],
        b: [early, answers('bananas'), votesFor('apples')],
      },
    })
    const run = await bench.run('write')

    const readOnly = outputs(bench).filter((output) => output.includes('Read-only file system'))
    expect(readOnly).toHaveLength(2)
    expect(fs.readdirSync(context)).toEqual(['late.txt'])
    expect(run.finished?.final_answer).toBe('Written.')
    expect(written(run)).toEqual([path.join(context, 'late.txt'), 'mine.txt'])
    expect(await docker.whatStays()).toEqual([])
  },
)

testWith(
  'docker',
  'MODE-12.1 in a run the container of the presenter is removed and made anew with writable context paths',
  async () => {
    const context = temporaryFolder()
    const tries = (word: string) => runs(`echo ${word} >> ${context}/file; echo ${word} > own.txt`)
    const seen: Record<string, Awaited<ReturnType<typeof look>>> = {}
    const bench: TeamBench = await makeBench(context, {
      agents: {
        a: gated(
          [tries('early'), answers('apples'), votesFor('apples'), tries('late'), { text: 'Done.' }],
          {
            1: async (self) => (seen['before'] = await look(docker, context, self.folder)),
            3: async (self) => (seen['after'] = await look(docker, context, self.folder)),
          },
          () => bench,
        ),
        // After the other one, whose vote would otherwise be cut short, and its script be off by one.
        b: gated(
          [tries('early'), answers('bananas'), votesFor('apples')],
          {
            2: async (self) =>
              await expect.poll(() => self.events('vote.cast').length, SOON).toBeGreaterThan(0),
          },
          () => bench,
        ),
      },
      settings: {
        context_paths: [contextOf(context, 'write')],
        evidence: [{ name: 'where', command: 'ls /.dockerenv; cat own.txt', timeout_seconds: 20 }],
      },
    })
    const run = await bench.run('write')

    expect(run.finished).toMatchObject({ status: 'complete', final_answer: 'Done.' })
    expect(fs.readFileSync(path.join(context, 'file'), 'utf8')).toBe('late\n')
    expect(outputs(bench).filter((output) => output.includes('Read-only file system'))).toHaveLength(2)
    expect(seen['before']?.length).toBeGreaterThanOrEqual(1)
    expect(seen['before']?.every(({ writes }) => !writes.includes(true))).toBe(true)
    // One container can write now, and it is none of those before.
    const writers = seen['after']?.filter(({ writes }) => writes.includes(true)) ?? []
    expect(writers).toEqual([{ id: expect.any(String), writes: [true, true] }])
    expect(seen['before']?.map(({ id }) => id)).not.toContain(writers[0]?.id)
    // What is known of the answers was found out in the containers too.
    expect(bench.events('evidence.recorded').flatMap(({ results }) => results)).toMatchObject(
      ['early', 'early'].map((word) => ({ status: 'passed', output: `/.dockerenv\n${word}\n` })),
    )
    expect(await docker.whatStays()).toEqual([])
  },
)
