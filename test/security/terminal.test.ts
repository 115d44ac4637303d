import { createRequire } from 'node:module'
import type { Terminal } from '@xterm/headless'
import { expect, test } from 'vitest'
import { turn } from '../../src/core/turn/turn.ts'
import { hashOf } from '../../src/core/turn/dispatch.ts'
import { isRejected } from '../../src/core/aggregate.ts'
import type { TurnEvent, TurnSettings } from '../../src/schema/turn-event.ts'
import { analyzeCommand } from '../../src/tools/shell-analysis.ts'
import { cardText, pendingCard } from '../../src/view/pending-card.ts'
import { Program } from '../support/program.ts'

const { Terminal: Emulator } = createRequire(import.meta.url)('@xterm/headless') as {
  Terminal: typeof Terminal
}

/** What a terminal has become after a text was written to it: everything but the characters on its screen. */
async function stateAfter(text: string): Promise<object> {
  const terminal = new Emulator({ cols: 100, rows: 30, allowProposedApi: true })
  const heard: string[] = []
  terminal.onTitleChange((title) => heard.push(`title ${title}`))
  terminal.onBell(() => heard.push('bell'))
  terminal.onData((reply) => heard.push(`reply ${JSON.stringify(reply)}`))
  await new Promise<void>((resolve) => terminal.write(text.replaceAll('\n', '\r\n'), resolve))
  const cell = terminal.buffer.active.getLine(0)?.getCell(0)
  return {
    heard,
    modes: { ...terminal.modes },
    buffer: terminal.buffer.active.type,
    styled: Boolean(
      cell && (cell.isBold() || cell.getFgColorMode() || cell.getBgColorMode() || cell.isInvisible()),
    ),
  }
}

const attack = [
  '\u001b[1;31m\u001b[8mhidden',
  '\u001b[?1049h\u001b[?1000h\u001b[?2004h\u001b[?25l',
  '\u001b]0;stolen title\u0007\u001b]52;c;aGk=\u0007\u001b]8;;http://evil.example\u0007x',
  '\u001b[6n\u001b[c\u001bP$qm\u001b\\\u009b31m\u0007',
].join('')

test('36 what a model, a tool and an error say leaves the terminal as it was', async () => {
  const untouched = await stateAfter('plain text')
  expect(await stateAfter(attack)).not.toEqual(untouched)

  const program = new Program({ 'evil.txt': attack })
  const calls = [
    { name: 'read_file', input: { path: 'evil.txt' } },
    { name: 'read_file', input: { path: `missing${attack}` } },
  ]
  const model = program.replies({ text: attack, calls }, { text: `${attack} done` })
  for (const format of ['text', 'json', 'stream-json']) {
    const { stdout, stderr } = await program.run([
      '-p',
      `look ${attack}`,
      model,
      '--verbose',
      '--output-format',
      format,
    ])
    expect(stdout).toContain('done')
    expect(await stateAfter(stdout), format).toEqual(untouched)
    expect(await stateAfter(`x${stderr}`), format).toEqual(untouched)
  }
})

test('37 an approval shows every byte, says what hides in it, is bound to it, and a bare Enter gives none', async () => {
  const long = Array.from({ length: 500 }, (_, line) => `echo ${line}`).join('\n')
  const commands = [
    `${long}\nrm -rf src`,
    `ls${' '.repeat(400)}; rm -rf src`,
    'r\u043c -rf src; ls\u200b',
    'ls \u202e# fr- mr',
  ]
  for (const command of commands) {
    const call = { id: 'c', name: 'shell', input: { command }, access: [await analyzeCommand(command)] }
    const settings: TurnSettings = {
      mode: 'Act',
      permission: 'ask',
      max_iterations: 5,
      reflect: 'never',
      tools: [{ name: 'shell', read_only: false, changes: 'anything', confinable: true }],
    }
    const ids = { turn_id: 'turn_1', chat_id: 'chat_1', agent_id: 'a' } as const
    let state = turn.initial
    const decide = (input: Parameters<typeof turn.decide>[1]) => {
      const events = turn.decide(state, input)
      if (!isRejected(events))
        state = events.reduce<typeof state>((now, event: TurnEvent) => turn.evolve(now, event), state)
      return events
    }
    decide({ type: 'start', started: { type: 'turn.started', ...ids, prompt: 'p', settings } })
    const usage = { input_tokens: 1, output_tokens: 1, model_calls: 1 }
    decide({ type: 'model_replied', reply: { text: '', calls: [call], usage } })
    const [pending] = state.pendings
    if (pending?.kind !== 'tool_approval') throw new Error('it did not ask')

    const card = pendingCard(pending)
    const shown = cardText(card)
    for (const line of command.split('\n')) expect(shown).toContain(line)
    expect(card.default).toBeUndefined()
    expect(call.access[0]?.notes, command.slice(0, 20)).not.toEqual([])
    const other = hashOf({ ...pending.call, input: { command: 'ls' } })
    const approve = (hash: string) =>
      decide({
        type: 'answer_pending',
        pending_id: pending.id,
        answer: { kind: 'tool_approval', decision: 'once', hash },
        by: 'me',
      })
    expect(isRejected(approve(other))).toBe(true)
    expect(approve(pending.hash)).toContainEqual(
      expect.objectContaining({ type: 'tool.called', call: pending.call }),
    )
  }
})
