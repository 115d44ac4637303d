import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Driven,
  READ_ONLY,
  drive,
  inCopy,
  modelTools,
  reply,
  snapshot,
} from '../../../../test/fixtures/projects/drive.ts'
import type { ModelMessage } from '../../../ports/model.ts'

const demo = join(import.meta.dirname, '../../../../samples/demo')
const RENAME = 'rename calcTotal to orderTotal'
const REFLECT: ModelMessage = {
  role: 'user',
  text: 'Reflect: judge from the results above. Answer only with JSON: …',
}
const WITHOUT_SHELL = [...READ_ONLY, 'update_file', 'create_file', 'delete_file']

const reflect = async (
  { messages }: Driven,
  tools?: string[],
): Promise<{ verdict: string; reason: string }> => {
  const { text, calls } = await reply({
    system: '',
    messages: [...messages, REFLECT],
    tools: modelTools(tools),
  })
  expect(calls).toEqual([])
  return JSON.parse(text)
}

describe('corrections from the person', () => {
  test('a narrower scope is searched anew, kept to, and reported', async () => {
    await inCopy(demo, async (folder) => {
      const before = await snapshot(folder)
      const { answer, calls } = await drive(folder, RENAME, {
        tools: WITHOUT_SHELL,
        say: (replies) =>
          replies === 1
            ? 'Correction from the person: Search only in /src, and skip src/tax.js\nChange your plan accordingly.'
            : undefined,
      })
      expect(calls.findLast(({ name }) => name === 'search_code')?.input['path']).toBe('src')
      const after = await snapshot(folder)
      const changed = Object.keys(after).filter((path) => after[path] !== before[path])
      expect(changed).toEqual([
        'src/cart.js',
        'src/discount.js',
        'src/receipt.js',
        'src/report.js',
        'src/total.js',
      ])
      expect(answer).toContain(
        'Followed your correction "Search only in /src, and skip src/tax.js": only in src except src/tax.js.',
      )
    })
  })

  test('after a name that is taken the person may insist', async () => {
    await inCopy(demo, async (folder) => {
      const stopped = await drive(folder, 'rename calcTotal to calcTotals', { tools: WITHOUT_SHELL })
      const history: ModelMessage[] = [...stopped.messages, REFLECT]
      const { text } = await reply({ system: '', messages: history, tools: modelTools(WITHOUT_SHELL) })
      expect(JSON.parse(text).verdict).toBe('needs_person')
      history.push({ role: 'assistant', text, calls: [] })
      const forced = await drive(folder, 'Correction from the person: do it anyway', {
        history,
        tools: WITHOUT_SHELL,
      })
      expect(forced.answer).toContain('Renamed `calcTotal` to `calcTotals`: 19 occurrences in 9 files')
    })
  })

  test('tests can be left alone, a new name can be chosen, nonsense is admitted', async () => {
    await inCopy(demo, async (folder) => {
      const remarks = ['leave tests alone', 'call it `sumOf` instead', 'use more cowbell']
      const { answer } = await drive(folder, RENAME, {
        tools: WITHOUT_SHELL,
        say: (replies) => remarks[replies - 1] && `Correction from the person: ${remarks[replies - 1]}`,
      })
      const after = await snapshot(folder)
      expect(after['test/total.test.js']).toContain('calcTotal(lines)')
      expect(after['src/total.js']).toContain('function sumOf(lines)')
      expect(answer).toContain('I could not use your correction "use more cowbell".')
    })
  })
})

describe('when things go wrong', () => {
  test('refused edits are not tried again, and reported', async () => {
    await inCopy(demo, async (folder) => {
      const before = await snapshot(folder)
      const driven = await drive(folder, RENAME, {
        refuse: ({ name }) =>
          name === 'update_file'
            ? 'Not run: the person refused it. Do not try it again another way.'
            : undefined,
      })
      expect(await snapshot(folder)).toEqual(before)
      expect(driven.answer).toMatch(
        /^`calcTotal` was not renamed: no file could be changed\.\nNot changed:\n- README\.md: Not run/,
      )
      const edited = driven.calls.flatMap(({ name, input }) =>
        name === 'update_file' ? [input['path']] : [],
      )
      expect(new Set(edited).size).toBe(edited.length)
      expect((await reflect(driven)).verdict).toBe('failed')
    })
  })

  test('one refused file does not keep the others back', async () => {
    await inCopy(demo, async (folder) => {
      const driven = await drive(folder, RENAME, {
        tools: WITHOUT_SHELL,
        refuse: ({ name, input }) =>
          name === 'update_file' && input['path'] === 'README.md' ? 'Refused: no.' : undefined,
      })
      expect(driven.answer).toContain('18 occurrences in 8 files')
      expect(driven.answer).toContain('Not changed:\n- README.md: Refused: no.')
      expect(await reflect(driven, WITHOUT_SHELL)).toMatchObject({
        verdict: 'failed',
        reason: expect.stringContaining('README.md'),
      })
    })
  })

  test('a file that changed under its edit is read again and edited once more', async () => {
    await inCopy(demo, async (folder) => {
      let isFirst = true
      const { answer, calls } = await drive(folder, RENAME, {
        tools: WITHOUT_SHELL,
        before: async ({ name, input }) => {
          if (name !== 'update_file' || input['path'] !== 'src/total.js' || !isFirst) return
          isFirst = false
          await writeFile(
            join(folder, 'src/total.js'),
            'export const calcTotal = (a) => a\nexport const calcTotals = calcTotal\n',
          )
        },
      })
      expect(
        calls.filter(({ name, input }) => name === 'update_file' && input['path'] === 'src/total.js'),
      ).toHaveLength(2)
      expect((await snapshot(folder))['src/total.js']).toBe(
        'export const orderTotal = (a) => a\nexport const calcTotals = orderTotal\n',
      )
      expect(answer).toContain('in 9 files')
    })
  })

  test.each([
    ['was written', true],
    ['was not written', false],
  ])('after an interrupted edit the file is read again: it %s', async (_, isWritten) => {
    await inCopy(demo, async (folder) => {
      let isFirst = true
      const { answer, calls } = await drive(folder, RENAME, {
        tools: WITHOUT_SHELL,
        before: async ({ name, input }) => {
          if (name !== 'update_file' || input['path'] !== 'src/discount.js' || !isFirst || !isWritten) return
          const text = (await snapshot(folder))['src/discount.js'] ?? ''
          await writeFile(join(folder, 'src/discount.js'), text.replaceAll('calcTotal', 'orderTotal'))
        },
        refuse: ({ name, input }) => {
          if (name !== 'update_file' || input['path'] !== 'src/discount.js' || !isFirst) return undefined
          isFirst = false
          return 'Interrupted: the process ended while this call was running. Check before repeating it.'
        },
      })
      const edits = calls.filter(
        ({ name, input }) => name === 'update_file' && input['path'] === 'src/discount.js',
      )
      expect(edits).toHaveLength(isWritten ? 1 : 2)
      expect((await snapshot(folder))['src/discount.js']).not.toContain('calcTotal')
      expect(answer).toContain('A search afterwards found no use of `calcTotal` left.')
      expect(answer).not.toContain('Not changed')
    })
  })

  test('a file that vanished is reported', async () => {
    await inCopy(demo, async (folder) => {
      const { answer } = await drive(folder, RENAME, {
        tools: WITHOUT_SHELL,
        before: async ({ name, input }) => {
          if (name === 'update_file' && input['path'] === 'src/tax.js')
            await rm(join(folder, 'src/tax.js'), { force: true })
        },
      })
      expect(answer).toMatch(/Not changed:\n- src\/tax\.js: /)
    })
  })

  test('tests that break are named, and a person is asked', async () => {
    await inCopy(demo, async (folder) => {
      const name =
        "import * as total from '../src/total.js'\nimport { test } from 'node:test'\ntest('by name', () => total['calc' + 'Total']([]))\n"
      await writeFile(join(folder, 'test/name.test.js'), name)
      const driven = await drive(folder, RENAME)
      expect(driven.answer).toContain('The tests broke: `npm test` passed before and fails now.')
      expect(driven.answer).toMatch(/total\[\('calc'|not a function|by name/)
      expect(await reflect(driven)).toEqual({
        verdict: 'needs_person',
        reason: 'the tests passed before the rename and fail after it',
      })
    })
  })

  test('refused tests do not stop the work', async () => {
    await inCopy(demo, async (folder) => {
      const { answer } = await drive(folder, RENAME, {
        refuse: ({ name }) => (name === 'shell' ? 'Refused: shell can change anything.' : undefined),
      })
      expect(answer).toContain('19 occurrences in 9 files')
      expect(answer).toContain('`npm test` was not run: Refused: shell can change anything.')
    })
  })
})

describe('reflection', () => {
  test('a finished rename is complete, for a reason', async () => {
    await inCopy(demo, async (folder) => {
      const driven = await drive(folder, RENAME)
      const verdict = {
        verdict: 'complete',
        reason: 'the last search found no use of `calcTotal`, and npm test passed afterwards',
      }
      expect(await reflect(driven)).toEqual(verdict)
      expect(await reflect(driven, [])).toEqual(verdict)
    })
  })

  test('in the middle of the work it goes on, and working goes on after it', async () => {
    await inCopy(demo, async (folder) => {
      const { messages } = await drive(folder, RENAME, { tools: WITHOUT_SHELL })
      const half = messages.slice(
        0,
        messages.findIndex(
          (message) => message.role === 'assistant' && message.calls[0]?.name === 'update_file',
        ),
      )
      const { text } = await reply({
        system: '',
        messages: [...half, REFLECT],
        tools: modelTools(WITHOUT_SHELL),
      })
      expect(JSON.parse(text).verdict).toBe('continue')
      const after: ModelMessage[] = [...half, REFLECT, { role: 'assistant', text, calls: [] }]
      const { calls } = await reply({ system: '', messages: after, tools: modelTools(WITHOUT_SHELL) })
      expect(calls[0]?.name).toBe('update_file')
    })
  })
})
