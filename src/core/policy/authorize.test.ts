import { describe, expect, test } from 'vitest'
import type { Access } from '../../schema/access.ts'
import type { PermissionMode } from '../../schema/chat-config.ts'
import type { ToolCall, ToolTraits, TurnSettings } from '../../schema/turn-event.ts'
import { type Circumstances, authorize, grantsFor } from './authorize.ts'

const reader: ToolTraits = { name: 'read_file', read_only: true }
const editor: ToolTraits = { name: 'update_file', read_only: false, changes: 'files' }
const remover: ToolTraits = { name: 'delete_file', read_only: false, changes: 'files', destructive: true }
const shell: ToolTraits = { name: 'shell', read_only: false, changes: 'anything', confinable: true }
const bareShell: ToolTraits = { name: 'shell', read_only: false, changes: 'anything' }
const delegate: ToolTraits = { name: 'delegate', read_only: false, nested: true }
const all = [reader, editor, remover, shell, delegate]

const command = (text: string, looks_read_only = false): Access => ({
  ...{ kind: 'command', command: text, parts: [text], looks_read_only, notes: [] },
})
const call = ({ name }: ToolTraits, ...access: Access[]): ToolCall => ({ id: '1', name, input: {}, access })

type Given = Partial<TurnSettings> & Partial<Omit<Circumstances, 'settings'>>
function decide(traits: ToolTraits, given: Given = {}, ...access: Access[]) {
  const { files_changed = 0, files_agreed = 0, ...more } = given
  const settings = { mode: 'Act', permission: 'ask', tools: all, ...more } as const
  return authorize(call(traits, ...access), traits, { settings, files_changed, files_agreed })
}
const verdict = (...args: Parameters<typeof decide>): string => {
  const found = decide(...args)
  return found.verdict === 'allow' && found.confined ? 'confined' : found.verdict
}

const modes: PermissionMode[] = ['ask', 'auto-edit', 'auto', 'deny']
const allowAll: TurnSettings['rules'] = [{ tool: '*', action: 'allow' }]
const grants = [{ tool: 'update_file', resource: 'a' }]

describe('in Plan mode', () => {
  test.each(modes)(
    'under %s nothing but reading and confined commands runs, and nothing asks',
    (permission) => {
      const given: Given = { mode: 'Plan', permission, rules: allowAll, grants }
      expect(verdict(reader, given)).toBe('allow')
      for (const traits of [editor, remover, bareShell, delegate])
        expect(verdict(traits, given, { kind: 'write', path: 'a' }), traits.name).toBe('deny')
      expect(verdict(shell, given, command('rm -rf .'))).toBe('confined')
    },
  )

  test.each(['', 'act', 'ACT', 'Act ', undefined, null])('a mode that reads %j is Plan mode', (mode) => {
    const given = { mode, permission: 'auto', rules: allowAll } as unknown as Given
    expect(verdict(editor, given)).toBe('deny')
  })
})

describe('in Act mode', () => {
  test('each permission mode allows, asks or refuses', () => {
    const table = modes.map((permission) =>
      [reader, editor, remover, bareShell, delegate].map((traits) => verdict(traits, { permission })),
    )
    expect(table).toEqual([
      ['allow', 'allow', 'ask', 'ask', 'allow'],
      ['allow', 'allow', 'ask', 'ask', 'allow'],
      ['allow', 'allow', 'allow', 'allow', 'allow'],
      ['allow', 'allow', 'deny', 'deny', 'allow'],
    ])
  })

  test('a command that looks harmless runs confined, where it is; one that does not asks', () => {
    expect(verdict(shell, {}, command('ls', true))).toBe('confined')
    expect(verdict(bareShell, {}, command('ls', true))).toBe('ask')
    expect(verdict(shell, {}, command('rm x'))).toBe('ask')
  })

  test('a mass change asks at the 21st file and, once agreed, at the 41st', () => {
    expect(verdict(editor, { files_changed: 19 })).toBe('allow')
    expect(decide(editor, { files_changed: 20 })).toEqual({
      ...{ verdict: 'ask', reason: 'this turn has changed 20 files already', severity: 'major' },
    })
    expect(verdict(editor, { files_changed: 39, files_agreed: 20 })).toBe('allow')
    expect(verdict(editor, { files_changed: 40, files_agreed: 20 })).toBe('ask')
    expect(verdict(editor, { files_changed: 20, permission: 'auto-edit' })).toBe('allow')
    expect(verdict(editor, { files_changed: 20, permission: 'deny' })).toBe('deny')
  })

  test('what is refused without asking says how to allow it', () => {
    expect(decide(remover, { permission: 'deny' })).toMatchObject({
      reason: expect.stringMatching(
        /deletes something, and this session may not ask .*--permission-mode auto/,
      ),
    })
  })
})

describe('the rules of the config', () => {
  const write: Access = { kind: 'write', path: 'src/a.ts' }
  const rule = (action: 'allow' | 'ask' | 'deny', tool = '*', resource?: string) => ({
    ...{ tool, action },
    ...(resource !== undefined && { resource }),
  })

  test('the last that fits decides', () => {
    expect(verdict(remover, { rules: [rule('allow')] }, write)).toBe('allow')
    expect(verdict(remover, { rules: [rule('allow'), rule('ask', 'delete_*')] }, write)).toBe('ask')
    expect(
      verdict(editor, { rules: [rule('deny', '*', 'src/*'), rule('allow', '*', 'src/a.ts')] }, write),
    ).toBe('allow')
  })

  test('a rule that denies holds in every mode, also for reading', () => {
    const rules = [rule('deny', '*', 'secret/*')]
    const secret: Access = { kind: 'read', path: 'secret/key' }
    for (const permission of modes) expect(verdict(reader, { permission, rules }, secret)).toBe('deny')
    const asks = [rule('ask', '*', 'secret/*')]
    expect(verdict(reader, { permission: 'auto', rules: asks }, secret)).toBe('ask')
    expect(verdict(reader, { permission: 'deny', rules: asks }, secret)).toBe('deny')
  })

  test('one denied part denies a whole command, and one asked part asks', () => {
    const both: Access = { ...command('ls && rm x'), parts: ['ls', 'rm x'] } as Access
    expect(verdict(shell, { rules: [rule('allow'), rule('deny', 'shell', 'rm *')] }, both)).toBe('deny')
    expect(verdict(shell, { permission: 'auto', rules: [rule('ask', 'shell', 'rm *')] }, both)).toBe('ask')
    const unread: Access = { ...command('ls; $(x)'), parts: [] } as Access
    expect(verdict(shell, { rules: [rule('allow', 'shell', 'ls')] }, unread)).toBe('ask')
    // What cannot be parsed could hold what is denied.
    expect(verdict(shell, { permission: 'auto', rules: [rule('deny', 'shell', 'rm *')] }, unread)).toBe('ask')
    expect(verdict(shell, { permission: 'auto', rules: [rule('deny', 'delete_file')] }, unread)).toBe('allow')
  })
})

describe('grants', () => {
  test('are for exactly these bytes', () => {
    const given: Given = { grants: [{ tool: 'shell', resource: 'npm test' }] }
    expect(verdict(shell, given, command('npm test'))).toBe('allow')
    expect(verdict(shell, given, command('npm test '))).toBe('ask')
    expect(verdict(bareShell, given, command('npm test && rm x'))).toBe('ask')
    expect(verdict(shell, given)).toBe('ask')
  })

  test('are not offered for deletions, nor where it is unknown what is touched', () => {
    expect(grantsFor(call(shell, command('npm test')), shell)).toEqual([
      { tool: 'shell', resource: 'npm test' },
    ])
    expect(grantsFor(call(remover, { kind: 'delete', path: 'a' }), remover)).toEqual([])
    expect(grantsFor(call(bareShell), bareShell)).toEqual([])
  })
})

describe('an approved plan', () => {
  const plan: TurnSettings['plan'] = {
    ...{ plan_id: 'plan_1', revision: 1, directory: '.', reviews: [] },
    plan: {
      ...{ goal: 'g', risks: [], prerequisites: [] },
      steps: [{ step_number: 1, action: 'a', reason: '', tools_needed: ['update_file'], files: ['src'] }],
    },
  }
  const inside: Access = { kind: 'write', path: 'src/a.ts' }
  const outside: Access = { kind: 'write', path: 'lib/b.ts' }

  test('is left only by asking, also when edits need no asking', () => {
    for (const permission of ['ask', 'auto-edit'] as const) {
      expect(verdict(editor, { plan, permission }, inside)).toBe('allow')
      expect(decide(editor, { plan, permission }, outside)).toMatchObject({
        verdict: 'ask',
        severity: 'major',
      })
      expect(decide(bareShell, { plan, permission }, command('ls'))).toMatchObject({
        ...{ verdict: 'ask', reason: 'outside the approved plan: no step needs shell' },
      })
    }
    expect(verdict(editor, { plan, permission: 'deny' }, outside)).toBe('deny')
    expect(verdict(editor, { plan, permission: 'auto' }, outside)).toBe('allow')
  })

  test('does not stand in the way of looking', () => {
    expect(verdict(reader, { plan })).toBe('allow')
    expect(verdict(shell, { plan }, command('ls', true))).toBe('confined')
  })
})
