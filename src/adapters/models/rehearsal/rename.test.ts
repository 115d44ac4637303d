import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { READ_ONLY, drive, inCopy, snapshot } from '../../../../test/fixtures/projects/drive.ts'

const demo = join(import.meta.dirname, '../../../../samples/demo')
const WITHOUT_SHELL = [...READ_ONLY, 'update_file', 'create_file', 'delete_file']

test('the demo: plan, tests, edits, check, tests, in fewer than ten replies', async () => {
  await inCopy(demo, async (folder) => {
    const { answer, calls, replies } = await drive(
      folder,
      'Find all usages of function calcTotal and rename to orderTotal',
    )
    expect(calls.map(({ name }) => name).filter((name, at, all) => name !== all[at - 1])).toEqual([
      'search_code',
      'list_directory',
      'read_file',
      'shell',
      'update_file',
      'read_file',
      'update_file',
      'search_code',
      'shell',
    ])
    expect(calls.map(({ id }) => id)).toEqual(calls.map((_, index) => `call_${index + 1}`))
    expect(replies).toBeLessThan(10)
    expect(answer).toContain('19 occurrences in 9 files')
    expect(answer).toContain('`npm test` passed before and after.')
    const after = Object.values(await snapshot(folder)).join('\n')
    expect(after.match(/\bcalcTotal\b/g)).toBeNull()
    expect(after.match(/\bcalcTotals\b/g)).toHaveLength(7)
    expect(after.match(/\bcalcTotalTax\b/g)).toHaveLength(8)
  })
})

test('a new name that is in use stops the rename, until the person insists', async () => {
  await inCopy(demo, async (folder) => {
    const before = await snapshot(folder)
    const stopped = await drive(folder, 'rename calcTotal to calcTotals')
    expect(stopped.answer).toMatch(
      /Nothing was changed: `calcTotals` is already in use at .*src\/total\.js:7/,
    )
    expect(await snapshot(folder)).toEqual(before)
    const forced = await drive(folder, 'rename calcTotal to calcTotals anyway', { tools: WITHOUT_SHELL })
    expect(forced.answer).toContain('Renamed')
  })
})

test('a word of a sentence does not count as a name in use', async () => {
  await inCopy(demo, async (folder) => {
    await writeFile(join(folder, 'notes.md'), 'An amount is a number.\n')
    const { answer } = await drive(folder, 'rename calcTotal to amount', { tools: WITHOUT_SHELL })
    expect(answer).toContain('Renamed `calcTotal` to `amount`: 19 occurrences')
  })
})

test('line ends, marks at the start, equal lines and a missing last newline survive', async () => {
  await inCopy(undefined, async (folder) => {
    const text = '\ufeffold()\r\nold()\r\n\r\nx = old\r\nold()\r\nold()'
    await writeFile(join(folder, 'a.js'), text)
    await writeFile(join(folder, "it's a $(name).js"), 'old\n')
    await drive(folder, 'rename old to fresh', { tools: WITHOUT_SHELL })
    expect(await snapshot(folder)).toEqual({
      'a.js': text.replaceAll('old', 'fresh'),
      "it's a $(name).js": 'fresh\n',
    })
  })
})

test('more files, lines and hits than one call shows', async () => {
  await inCopy(undefined, async (folder) => {
    const long = Array.from({ length: 9_000 }, (_, line) =>
      line % 4 === 0 ? `oldName(${line})` : `other(${line})`,
    ).join('\n')
    await writeFile(join(folder, 'long.js'), long)
    await mkdir(join(folder, 'src'))
    for (let file = 0; file < 60; file++)
      await writeFile(join(folder, `src/f${file}.js`), `oldName()\noldNames()\noldName()\n`)
    const { answer } = await drive(folder, 'rename oldName to newName', { tools: WITHOUT_SHELL, most: 20 })
    const after = await snapshot(folder)
    expect(after['long.js']).toBe(long.replaceAll('oldName', 'newName'))
    expect(
      Object.values(after)
        .join('\n')
        .match(/\boldName\b/g),
    ).toBeNull()
    expect(answer).toContain('2370 occurrences in 61 files')
  })
})

test('work that a limit ended goes on where it was', async () => {
  await inCopy(demo, async (folder) => {
    const { answer, messages } = await drive(folder, 'rename calcTotal to orderTotal', {
      tools: WITHOUT_SHELL,
      say: (replies) => (replies === 3 ? 'continue' : undefined),
    })
    expect(messages.filter(({ role }) => role === 'user')).toHaveLength(2)
    expect(answer).toContain('4 occurrences in 1 file')
    expect(
      Object.values(await snapshot(folder))
        .join()
        .match(/\bcalcTotal\b/g),
    ).toBeNull()
  })
})

test('files that cannot be shown exactly are named, not changed', async () => {
  await inCopy(undefined, async (folder) => {
    await writeFile(join(folder, 'min.js'), `oldName();${'x'.repeat(5_000)}\n`)
    await writeFile(join(folder, 'latin.js'), Buffer.from('oldName() // caf\xe9\n', 'latin1'))
    await writeFile(join(folder, 'good.js'), 'oldName()\n')
    const { answer } = await drive(folder, 'rename oldName to newName')
    expect(answer).toContain('- good.js (1)')
    expect(answer).toMatch(/Not changed:\n(.*\n)*- min\.js: it has lines too long/)
    expect(answer).toMatch(/- latin\.js: it is not valid UTF-8/)
  })
})
