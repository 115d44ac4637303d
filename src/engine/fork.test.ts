import { describe, expect, test } from 'vitest'
import { Workbench } from '../../test/support/workbench.ts'
import { openSqliteJournal } from '../adapters/journal/sqlite-journal.ts'
import type { ChatId } from '../schema/ids.ts'
import { byTask, never, recordingModel, says, temporaryJournal } from './engine.test-support.ts'

const settings = { permission: 'auto', max_iterations: 15, reflect: 'never' } as const

describe('a fork', () => {
  const script: Parameters<typeof byTask>[0] = {
    'my name is Ada': [says('Hello Ada.')],
    'who am I?': [says('You are Ada.')],
    'and in the other chat?': [says('I cannot see it.')],
    wait: [never],
  }

  async function fork(bench: Workbench): Promise<ChatId> {
    const chat_id = bench.engine.newChatId()
    await bench.must({
      type: 'create_chat',
      chat_id,
      folder: bench.folder,
      title: 'fork',
      fork: { chat_id: bench.chat },
    })
    return chat_id
  }

  async function say(bench: Workbench, chat_id: ChatId, text: string): Promise<string | undefined> {
    await bench.must({ type: 'send_message', chat_id, text, agent_id: 'a', settings })
    return (await bench.engine.whenIdle(chat_id)).messages?.last.text
  }

  test('goes on from the earlier conversation, and neither chat sees what is said in the other', async () => {
    const { model, requests } = recordingModel(byTask(script))
    const bench = new Workbench({ model, journal: (await temporaryJournal()).journal })
    await bench.run('my name is Ada')
    const copy = await fork(bench)

    expect(await say(bench, copy, 'who am I?')).toBe('You are Ada.')
    expect(requests.at(-1)?.messages).toEqual([
      { role: 'user', text: 'my name is Ada' },
      { role: 'assistant', text: 'Hello Ada.', calls: [] },
      { role: 'user', text: 'who am I?' },
    ])
    await bench.run('and in the other chat?')
    expect(JSON.stringify(requests.at(-1))).not.toContain('who am I?')
  })

  test('leaves the unfinished turn of its source behind', async () => {
    const { model, requests } = recordingModel(byTask(script))
    const bench = new Workbench({ model, journal: (await temporaryJournal()).journal })
    await bench.run('my name is Ada')
    await bench.start('wait')
    const copy = await fork(bench)

    expect(await say(bench, copy, 'who am I?')).toBe('You are Ada.')
    expect(JSON.stringify(requests.at(-1)?.messages)).not.toContain('wait')
    expect((await bench.engine.open(bench.chat)).open_turn).not.toBeNull()
  })

  test('keeps its turns when the source is removed', async () => {
    const { path, journal } = await temporaryJournal()
    const first = new Workbench({ model: byTask(script), journal })
    const { turn_id } = await first.run('my name is Ada')
    const copy = await fork(first)
    await journal.remove(first.chat)
    await first.engine.close()

    const { model, requests } = recordingModel(byTask(script))
    const reopened = await openSqliteJournal({ path })
    const second = new Workbench({ model, journal: reopened, folder: first.folder })
    expect(await reopened.read(first.chat)).toEqual([])
    expect((await second.engine.turn(turn_id)).answer).toBe('Hello Ada.')
    expect(await say(second, copy, 'who am I?')).toBe('You are Ada.')
    expect(requests[0]?.messages[0]).toEqual({ role: 'user', text: 'my name is Ada' })
  })

  test('of a chat that does not exist is refused', async () => {
    const bench = new Workbench({ model: byTask(script) })
    const chat_id = bench.engine.newChatId()
    const result = await bench.engine.execute({
      type: 'create_chat',
      chat_id,
      folder: bench.folder,
      title: 'fork',
      fork: { chat_id: 'chat_nowhere' },
    })
    expect(result).toEqual({ accepted: false, reason: expect.stringContaining('chat_nowhere') })
  })
})
