import { expect, test } from 'vitest'
import type { Reach } from '../../schema/reach.ts'
import { workspace } from './workspace.ts'

const facts = { folder: '/p', platform: 'linux', mode: 'Act' } as const
const reach: Reach = {
  root: '/p',
  root_access: 'write',
  context: [
    { path: '/docs', permission: 'read', protected_paths: [] },
    { path: '/out', permission: 'write', protected_paths: ['/out/vendor'] },
  ],
}

test('says what can be reached, and what of it can be changed', () => {
  const alone = 'Your folder is /p (linux). Paths are relative to it; nothing outside it can be reached.'
  expect(workspace(facts)).toBe(alone)
  expect(workspace({ ...facts, reach: { ...reach, context: [] } })).toBe(alone)
  expect(workspace({ ...facts, reach })).toMatch(
    /by their absolute paths; .*:\n- \/docs \(read only\)\n- \/out \(read and write, but only read: \/out\/vendor\)$/,
  )
  expect(workspace({ ...facts, reach: { ...reach, root_access: 'read' } })).toContain(
    'can be read, not changed',
  )
})

test('promises nothing to write in Plan mode', () => {
  expect(workspace({ ...facts, mode: 'Plan', reach })).not.toContain('write')
})
