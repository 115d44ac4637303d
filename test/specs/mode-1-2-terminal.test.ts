import { expect, test } from 'vitest'
import { openSqliteJournal } from '../../src/adapters/journal/sqlite-journal.ts'
import type { RunSettings } from '../../src/schema/run-event.ts'
import type { SessionEvent } from '../../src/schema/session-event.ts'
import type { TurnSettings } from '../../src/schema/turn-event.ts'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'
import { TerminalSession } from '../support/terminal.ts'
import { teamMember } from '../support/vote-scripts.ts'

type Opened =
  | { kind: 'turn'; agent: string; settings: TurnSettings }
  | { kind: 'run'; agents: string[]; settings: RunSettings }

/** What each message of the journal led to, oldest first. */
async function openedBy(program: Program): Promise<Opened[]> {
  const journal = await openSqliteJournal({ path: program.journal })
  try {
    const chats = await journal.list('chat')
    const logs = await Promise.all(chats.toReversed().map(({ stream }) => journal.read(stream)))
    return logs.flat().flatMap(({ event }): Opened[] => {
      const { type, ...more } = event as SessionEvent
      if (type === 'turn.opened') {
        const { agent_id: agent, settings } = more as { agent_id: string; settings: TurnSettings }
        return [{ kind: 'turn', agent, settings }]
      }
      if (type !== 'run.opened') return []
      const { settings } = more as { settings: RunSettings }
      return [{ kind: 'run', agents: settings.agents.map(({ id }) => id), settings }]
    })
  } finally {
    await journal.close()
  }
}

test('MODE-1.2 a message is sent with the overrides that follow from the mode bar, in every position of it', async () => {
  const program = team(
    new Program(),
    {
      ada: teamMember('Use a queue.', { votes: 'Use a' }),
      bob: teamMember('Use a lock.', { votes: 'Use a' }),
    },
    'orchestrator: { override: continue, max_new_answers_per_agent: 2 }\n',
  )
  const terminal = new TerminalSession(program, [])
  const send = async (text: string) => {
    terminal.type(`${text}\r`)
    await terminal.waitFor(`· ${text}`)
    await terminal.waitFor((screen) => screen.includes('Presented') && !screen.includes('Esc interrupt'))
    terminal.type('/new\r')
    await terminal.waitFor('Say what is to be done.')
  }
  await terminal.waitFor('[ Act ] [ Multi ] [ Refine on ]')
  await send('multi refine')
  await terminal.click('[ Refine on ]')
  await terminal.waitFor('[ Multi ] [ Refine off ]')
  await send('multi quick')
  await terminal.click('[ Multi ]')
  await terminal.waitFor('[ Single ] [ Refine off ]')
  await send('single quick')
  await terminal.click('[ Refine off ]')
  await terminal.waitFor('[ Single ] [ Refine on ]')
  await terminal.click('2 bob')
  await terminal.waitFor('bob answers')
  await send('single refine')
  await terminal.press('shift+tab')
  await terminal.waitFor('[ Plan ]')
  await send('single refine in plan mode')
  await terminal.press('ctrl+c', 'ctrl+c')
  await terminal.ended

  const [multiRefine, multiQuick, singleQuick, singleRefine, planned] = await openedBy(program)
  const modes = { team_mode: 'multi', refinement: true, turn: { mode: 'Act' } }
  expect(multiRefine).toMatchObject({
    agents: ['ada', 'bob'],
    settings: {
      ...modes,
      coordination: {
        max_new_answers_per_agent: 2,
        disable_injection: false,
        skip_voting: false,
        defer_voting_until_all_answered: false,
        final_answer_strategy: 'winner_present',
      },
    },
  })
  expect(multiQuick).toMatchObject({
    agents: ['ada', 'bob'],
    settings: {
      ...modes,
      refinement: false,
      coordination: {
        max_new_answers_per_agent: 1,
        disable_injection: true,
        defer_voting_until_all_answered: true,
        final_answer_strategy: 'synthesize',
      },
    },
  })
  // One agent that nobody votes on is an ordinary turn: no vote tool, no presentation.
  expect(singleQuick).toMatchObject({ kind: 'turn', agent: 'ada', settings: { mode: 'Act' } })
  expect(singleQuick?.settings).not.toHaveProperty('team')
  expect(singleRefine).toMatchObject({
    agents: ['bob'],
    settings: { team_mode: 'single', refinement: true, coordination: { skip_voting: false } },
  })
  expect(planned).toMatchObject({
    agents: ['bob'],
    settings: { turn: { mode: 'Plan' }, coordination: { write_during_coordination: false } },
  })
})
