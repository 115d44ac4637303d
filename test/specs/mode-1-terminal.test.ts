import { expect, test } from 'vitest'
import { emptyChatView } from '../../src/view/chat-view.ts'
import { initialModeState, modeState } from '../../src/view/mode-bar.ts'
import { TerminalSession } from '../support/terminal.ts'
import { Program } from '../support/program.ts'
import { team } from '../support/team-config.ts'

test('MODE-1.1 the terminal starts in normal plan mode, with the whole team, refinement on', async () => {
  expect(initialModeState).toMatchObject({ plan_mode: 'normal', agent_mode: 'multi', refinement: true })
  expect(modeState(emptyChatView, { agents: ['a', 'b'], interactive: false })).toMatchObject({
    plan_mode: 'normal',
    agent_mode: 'multi',
    refinement: true,
    override: 'none',
  })

  const program = team(new Program(), { ada: [{ text: 'hello' }], bob: [{ text: 'hi' }] })
  const terminal = new TerminalSession(program, [])
  await terminal.waitFor('[ Act ] [ Multi ] [ Refine on ]')
})
