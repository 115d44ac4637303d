import { expect, it } from 'vitest'
import { checkInput } from './input-schema.ts'
import { todo } from './todo.ts'
import type { ToolContext } from './tool.ts'

const run = (input: Record<string, unknown>) => todo.run(input, {} as ToolContext)

it('shows the list it was given, and changes nothing but the notes of the agent', async () => {
  const items = [
    { text: 'read', status: 'done' },
    { text: 'write\nit', status: 'in_progress' },
    { text: 'test', status: 'pending' },
  ]
  expect(checkInput(todo.input, { items })).toEqual([])
  expect(await run({ items })).toEqual({
    success: true,
    output: '[x] read\n[>] write it\n[ ] test\n1 of 3 done',
  })
  expect(await run({ items: [] })).toEqual({ success: true, output: '(the list is empty)' })
  expect(todo.read_only).toBe(true)
})

it('refuses what is no list of tasks', async () => {
  expect(checkInput(todo.input, { items: [{ text: 'x', status: 'maybe' }] })).toEqual([
    'items[0].status must be one of pending, in_progress, done',
  ])
  const items = Array.from({ length: 101 }, () => ({ text: 'x', status: 'pending' }))
  expect(await run({ items })).toMatchObject({ success: false })
})
