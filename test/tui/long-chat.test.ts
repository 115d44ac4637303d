import { stripVTControlCharacters } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Action } from '../../src/tui/state/action.ts'
import { openMemoryJournal } from '../../src/adapters/journal/memory-journal.ts'
import type { App } from '../../src/tui/app.ts'
import { handleKeys } from '../../src/tui/handle-keys.ts'
import { type ChatView, emptyChatView, foldAll } from '../../src/view/chat-view.ts'
import { itemCount, itemsBetween } from '../../src/view/transcript.ts'
import { openLongSession } from '../support/long-session.ts'
import { storeChat } from '../support/stored-chat.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const TURNS = 260
const LONGEST_MS = 20_000

/** A stored chat of 520 messages, and a screen in memory. */
async function storeOne() {
  const folder = temporaryFolder()
  const { app, terminal, client, journal, ask, close } = await openLongSession(folder, 1, openMemoryJournal())
  onTestFinished(close)
  handleKeys(app)
  const chat = await storeChat(journal, folder, TURNS)
  const { session } = app
  if (!session) throw new Error('there is no session')
  const draw = () => {
    app.refresh()
    app.tui.renderNow()
    return (app.frame?.lines ?? []).map((line) => stripVTControlCharacters(line))
  }
  const screen = () => draw().join('\n')
  const until = async (holds: () => boolean) => {
    const end = Date.now() + LONGEST_MS
    do {
      if (Date.now() > end) throw new Error(`waited in vain:\n${screen()}`)
      draw()
      await sleep(2)
    } while (!holds())
  }
  /** The chat as a face would have it that reads everything at once. */
  const whole = async (): Promise<ChatView> => {
    const feed = await client.open(chat, { exchanges: Infinity })
    feed.close()
    return foldAll(emptyChatView, feed.first)
  }
  return { app, session, terminal, client, chat, folder, ask, draw, screen, until, whole }
}

async function openStored() {
  const stored = await storeOne()
  await stored.session.open(stored.chat)
  await stored.until(() => stored.screen().includes(`Answer ${TURNS - 1}.`))
  return stored
}

const items = ({ transcript }: ChatView) => itemsBetween(transcript, 0, itemCount(transcript))

test('a chat is opened by its end, and read as one scrolls up, with what is on the screen staying there', async () => {
  const { app, session, draw, until, whole } = await openStored()
  const all = await whole()
  const held = items(app.view)
  expect(held.length).toBeLessThan(items(all).length / 2)
  expect(held).toEqual(
    items(all)
      .slice(-held.length)
      .map((item, index) => held[index] ?? item),
  )
  expect(session.unread_log).toBeGreaterThan(500)

  // Steps of turns that are scrolled to are read, those of others are not.
  const { unread } = app.view
  expect(unread).toBeGreaterThan(20)
  for (let page = 0; page < 100 && app.view.unread === unread; page++) {
    app.dispatch({ type: 'scroll', lines: -30 })
    await until(() => !session.reading)
  }
  expect(app.view.unread).toBeLessThan(unread)
  expect(app.view.unread).toBeGreaterThan(0)

  app.dispatch({ type: 'scroll_to_item', place: 0 })
  const top = draw().slice(4, 12)
  await until(() => session.unread_log < 500 && !session.reading && session.unreadBetween(0, 0).length === 0)
  const { scroll } = app.ui
  expect(scroll.follow || scroll.place).toBeGreaterThan(20)
  await until(() => !session.reading)
  expect(top.filter((line) => draw().includes(line)).length).toBeGreaterThan(4)

  const isAtTop = () => !app.ui.scroll.follow && app.ui.scroll.place === 0 && session.unread_log === 0
  for (let page = 0; page < 200 && !isAtTop(); page++) {
    app.dispatch({ type: 'scroll', lines: -100 })
    await until(() => !session.reading)
  }
  await readAllSteps(app)
  expect(items(app.view)).toEqual(items(all))
  expect(app.view.usage.model_calls).toBe(all.usage.model_calls)
})

async function readAllSteps({ session }: App): Promise<void> {
  for (let ids = unreadIn(session); ids.length > 0; ids = unreadIn(session)) await session?.readSteps(ids)
}

const unreadIn = (session: App['session']) =>
  session?.unreadBetween(0, itemCount(session.view.transcript)).slice(-30) ?? []

test('Ctrl+Home reads what was said back to the beginning; Esc stops that', async () => {
  const { app, session, screen, until, terminal } = await openStored()
  app.dispatch({ type: 'scroll_to', end: 'top' })
  await until(() => app.ui.looking !== undefined)
  expect(screen()).toContain('reading the beginning of the chat')
  terminal.press('\u001b')
  await until(() => app.ui.looking === undefined)
  expect(app.ui.scroll).toEqual({ follow: true })

  app.dispatch({ type: 'scroll_to', end: 'top' })
  await until(() => screen().includes('Question 0'))
  expect(session.unread_log).toBe(0)
  expect(app.ui.scroll).toMatchObject({ place: 0 })
  // The steps of what is on the screen, not those of the hundreds of turns between.
  await until(() => screen().includes('update_file') && !session.reading)
  expect(app.view.unread).toBeGreaterThan(TURNS / 2)
})

const find = (query: string, direction: -1 | 0 | 1): Action => ({ type: 'find', query, direction })

test('a search goes on in what is not held, in steps too, and brings only what it finds', async () => {
  const { app, session, screen, until } = await openStored()
  const before = app.view.unread
  app.dispatch({ type: 'search', query: '' }, find('+line 7', 0))
  await until(() => screen().includes('looking through earlier messages'))
  await until(() => app.ui.search?.place !== undefined && !session.reading)
  expect(screen()).toContain('+line 79')
  expect(app.view.unread).toBeGreaterThan(before)

  app.dispatch(find('Question 3', -1))
  await until(() => screen().includes('Question 39'))

  app.dispatch(find('no such words', 0))
  await until(() => screen().includes('not found'))
  expect(app.ui.search).toMatchObject({ in_vain: true })
  // A longer word cannot be there either: nothing is read again.
  app.dispatch(find('no such words at all', 0))
  expect(app.ui.looking).toBeUndefined()
})

test('a search can be ended while it looks', async () => {
  const { app, session, screen, until, terminal } = await openStored()
  app.dispatch({ type: 'search', query: '' }, find('no such words', -1))
  await until(() => screen().includes('exchanges so far'))
  terminal.press('\u001b')
  await until(() => app.ui.looking === undefined)
  expect(app.ui.search).toBeUndefined()
  expect(session.unread_log).toBeGreaterThan(0)
})

test('every earlier message can be gone back to', async () => {
  const { app, session, until } = await openStored()
  const picker = () => (app.ui.modal?.kind === 'picker' ? app.ui.modal.items : [])
  app.dispatch({ type: 'pick_message', after: 0 })
  await until(() => picker().length > 0)
  expect(picker()).toHaveLength(201)
  expect(picker()[0]?.label).toBe(`Question ${TURNS - 1}`)
  const more = picker().at(-1)
  if (!more) throw new Error('there is no more')
  app.dispatch(more.action)
  await until(() => picker().length > 201)
  expect(picker().map(({ label }) => label)).toEqual(
    Array.from({ length: TURNS }, (_, index) => `Question ${TURNS - 1 - index}`),
  )
  // The copy ends right before the message, also where that was not held.
  expect(picker().at(-2)?.action).toMatchObject({ text: 'Question 1', at: expect.stringMatching(/x000000$/) })
  expect(picker().at(-1)?.action).toEqual({ type: 'rewind', text: 'Question 0' })
  expect(session.unread_log).toBe(0)
})

test('/diff and /cost are about the whole chat, and /copy about its last answer', async () => {
  const { app, session, until, whole, terminal } = await openStored()
  const page = () => (app.ui.modal?.kind === 'page' ? app.ui.modal.lines.map(({ text }) => text) : [])
  app.dispatch({ type: 'run_command', name: 'diff', rest: '' })
  await until(() => page().length > 2 * TURNS)
  expect(page().filter((line) => /^\+ ?.*line \d+$/.test(line))).toHaveLength(TURNS)
  expect(page().findIndex((line) => line.endsWith('line 0'))).toBeLessThan(10)

  const { usage } = await whole()
  app.dispatch({ type: 'close_modal' }, { type: 'run_command', name: 'cost', rest: '' })
  await until(
    () => page().some((line) => line.startsWith('last request')) && !page()[0]?.startsWith('reading'),
  )
  expect(page()[0]).toContain(`${usage.model_calls} calls`)
  // Nothing of it was kept.
  expect(session.unread_log).toBeGreaterThan(0)

  let written = ''
  terminal.onWrite = (data) => (written += data)
  app.dispatch({ type: 'close_modal' }, { type: 'run_command', name: 'copy', rest: '' })
  const copied = Buffer.from(`Answer ${TURNS - 1}.`).toString('base64')
  await until(() => written.includes(copied))
})

test('a page that is closed while it is filled stays closed', async () => {
  const { app, until } = await openStored()
  app.dispatch({ type: 'run_command', name: 'cost', rest: '' })
  await until(() => app.ui.modal?.kind === 'page')
  app.dispatch({ type: 'close_modal' })
  await sleep(50)
  expect(app.ui.modal).toBeUndefined()
})

test('what was read back is let go of when one is at the end again, and is counted once', async () => {
  const { app, session, ask, until, screen, whole } = await openStored()
  app.dispatch({ type: 'scroll_to', end: 'top' })
  await until(() => session.unread_log === 0 && app.ui.looking === undefined && !session.reading)
  const held = itemCount(app.view.transcript)
  app.dispatch({ type: 'scroll_to', end: 'bottom' })
  await ask('And now?')
  await until(() => session.unread_log > 0)
  expect(itemCount(app.view.transcript)).toBeLessThan(held)
  expect(screen()).toContain('And now?')

  // Some turns were counted before they were let go of, others never.
  app.dispatch({ type: 'scroll_to', end: 'top' })
  await until(() => session.unread_log === 0 && app.ui.looking === undefined)
  await readAllSteps(app)
  const all = await whole()
  expect(app.view.usage.model_calls).toBe(all.usage.model_calls)
  expect(items(app.view)).toEqual(items(all))
})

test('the end is on the screen while a long chat is still being opened; what is sent waits for that', async () => {
  const { session, client, chat, folder, screen, until } = await storeOne()
  const gate = Promise.withResolvers<void>()
  const { open } = client
  client.open = async (...given) => {
    await gate.promise
    return open(...given)
  }
  const opening = session.open(chat)
  await until(() => screen().includes(`Answer ${TURNS - 1}.`))
  expect(screen()).toContain('starting …')
  const sending = session.send('And now?', folder)
  gate.resolve()
  await opening
  expect(await sending).toEqual({ accepted: true })
  expect(session.chat).toBe(chat)
  await until(() => screen().includes('And now?'))
})

test('of a chat that cannot be opened nothing is left on the screen', async () => {
  const { app, session, client, chat, screen, until } = await storeOne()
  const gate = Promise.withResolvers<never>()
  client.open = () => gate.promise
  const opening = session.open(chat)
  await until(() => screen().includes(`Answer ${TURNS - 1}.`))
  gate.reject(new Error('it is open elsewhere'))
  await expect(opening).rejects.toThrow('it is open elsewhere')
  expect(itemCount(app.view.transcript)).toBe(0)
  expect(session.chat).toBeUndefined()
})
