import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { sandboxShell } from '../../../src/adapters/shell/sandbox-shell.ts'
import { needs, testWith } from '../../support/needs.ts'
import { temporaryFolder, writeFiles } from '../../support/workbench.ts'

const run = (folder: string, command: string) =>
  sandboxShell().run({
    command,
    cwd: folder,
    timeout_ms: 20_000,
    access: 'write',
    signal: new AbortController().signal,
  })

/** What is there, with its content, of what nobody may make or change. */
function look(folder: string, name: string): string | undefined {
  const stat = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false })
  if (!stat) return undefined
  if (stat.isSymbolicLink()) return fs.readlinkSync(path.join(folder, name))
  return stat.isFile() ? fs.readFileSync(path.join(folder, name), 'utf8') : 'folder'
}

const git = (folder: string, ...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

const settings = ['conclave.yaml', '.conclave/config.yaml', '.mcp.json', '.bashrc', '.zshrc', '.gitconfig']
const names = [...settings, ...settings.map((name) => `deep/down/${name}`)]

describe('security 4: a command that may write leaves what is protected alone', () => {
  testWith(
    'bwrap',
    'settings and start files that exist, at any depth, however they are attacked',
    async () => {
      for (const name of names) {
        const folder = temporaryFolder()
        writeFiles(folder, { [name]: 'original', 'other.txt': 'evil' })
        const parent = path.dirname(name)
        const attacks = [
          `echo evil > ${name}`,
          `sed -i s/original/evil/ ${name}`,
          `rm -f ${name}`,
          `mv -f other.txt ${name}`,
          `ln -sf other.txt ${name}`,
          `chmod 777 ${name}`,
          ...(parent === '.' ? [] : [`mv ${parent} away && mkdir -p ${parent} && echo evil > ${name}`]),
        ]
        await run(folder, attacks.join('; '))
        const still = [name, name.replace(parent, 'away')].map((place) => look(folder, place))
        expect(still, name).toContain('original')
        expect(still, name).not.toContain('evil')
      }
    },
  )

  testWith('bwrap', 'settings and start files that do not exist', async () => {
    const folder = temporaryFolder()
    for (const name of names) {
      const { output } = await run(folder, `mkdir -p ${path.dirname(name)}; echo evil > ${name}`)
      expect(look(folder, name), name).toBeUndefined()
      expect(output).toContain(`may not make ${name}`)
    }
    const { output } = await run(
      folder,
      'echo evil > x && mv x .mcp.json; ln -s /etc/passwd conclave.yaml; ls -A',
    )
    expect(output).toContain('may not make .mcp.json')
    expect([look(folder, '.mcp.json'), look(folder, 'conclave.yaml')]).toEqual([undefined, undefined])
  })

  testWith('bwrap', 'one that appears is taken away while the command still runs', async () => {
    const folder = temporaryFolder()
    const { output } = await run(
      folder,
      'echo evil > .mcp.json; until [ ! -e .mcp.json ]; do sleep 0.01; done; echo gone',
    )
    expect(output).toContain('gone')
  })

  testWith(['bwrap', 'git'], 'hooks and settings of a repository, while Git works as usual', async () => {
    const folder = temporaryFolder()
    git(folder, 'init', '-q')
    writeFiles(folder, { 'a.txt': 'a' })
    const before = look(folder, '.git/config')
    const work = await run(
      folder,
      'export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e; ' +
        'git add a.txt && git commit -qm one && git branch side && git tag t && git stash list && git status --short',
    )
    expect(work).toEqual({ exit_code: 0, output: '' })
    const attacks = [
      'git config core.fsmonitor ./evil',
      'echo evil >> .git/config',
      'mv .git/config .git/old && echo evil > .git/config',
      'echo evil > .git/hooks/post-commit',
      'rm -rf .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/post-commit',
      'mv .git away && mkdir .git && echo evil > .git/config',
      'ln -sfn /tmp .git/hooks',
      'echo ../evil > .git/commondir',
      'echo evil > .git/config.worktree',
    ]
    await run(folder, attacks.join('; '))
    expect(look(folder, '.git/config')).toBe(before)
    expect(look(folder, '.git/hooks')).toBe('folder')
    expect(look(folder, '.git/hooks/post-commit')).toBeUndefined()
    expect(look(folder, '.git/commondir')).toBeUndefined()
    expect(look(folder, '.git/config.worktree')).toBeUndefined()
    expect(git(folder, 'log', '--oneline').status).toBe(0)
  })

  testWith(['bwrap', 'git'], 'repositories inside, of submodules, and pointers to a repository', async () => {
    const folder = temporaryFolder()
    for (const name of ['.', 'nested/one', 'nested/two']) {
      fs.mkdirSync(path.join(folder, name), { recursive: true })
      git(path.join(folder, name), 'init', '-q', '--template=')
    }
    writeFiles(folder, {
      'pointer/.git': 'gitdir: ../.git/modules/pointer',
      '.git/modules/pointer/HEAD': 'ref: refs/heads/main',
      '.git/modules/pointer/config': 'original',
    })
    fs.symlinkSync('../../hooks', path.join(folder, 'nested/two/.git/hooks'))
    fs.mkdirSync(path.join(folder, 'nested/hooks'))
    await run(
      folder,
      [
        'echo evil >> nested/one/.git/config; mkdir nested/one/.git/hooks; echo evil > nested/one/.git/hooks/x',
        'echo "gitdir: /tmp" > pointer/.git; rm pointer/.git; mv pointer/.git x',
        'echo evil > .git/modules/pointer/config',
        'mv .git/modules .git/m && mkdir -p .git/modules/pointer && echo evil > .git/modules/pointer/config',
        'rm nested/two/.git/hooks; mkdir nested/two/.git/hooks; echo evil > nested/two/.git/hooks/x',
        'mkdir -p fresh/.git; echo evil > fresh/.git/config; echo "gitdir: x" > nested/.git',
      ].join('; '),
    )
    expect(look(folder, 'nested/one/.git/config')).not.toContain('evil')
    expect(look(folder, 'nested/one/.git/hooks/x')).toBeUndefined()
    expect(look(folder, 'pointer/.git')).toBe('gitdir: ../.git/modules/pointer')
    expect(look(folder, '.git/modules/pointer/config')).toBe('original')
    expect(look(folder, 'nested/two/.git/hooks')).toBe('../../hooks')
    expect(look(folder, 'fresh/.git')).toBeUndefined()
    expect(look(folder, 'nested/.git')).toBeUndefined()
  })

  testWith('bwrap', 'a repository where there is none, and nothing is left of the guard', async () => {
    const folder = temporaryFolder()
    const { output } = await run(
      folder,
      'mkdir .git; echo evil > .git/config; mv .git x; rmdir .git; git init; true',
    )
    expect(output).toContain('Read-only file system')
    expect(fs.readdirSync(folder)).toEqual([])
  })

  testWith('bwrap', 'everything outside the folder', async () => {
    const folder = temporaryFolder()
    const beside = path.join(path.dirname(folder), `${path.basename(folder)}-beside`)
    const { output } = await run(
      folder,
      `echo x > /etc/conclave-test; echo x > ~/.conclave-test; echo x > ${beside}; echo x > in`,
    )
    expect(output).toContain('/etc/conclave-test: Read-only file system')
    // A home or neighbour below /tmp is written to a /tmp of the sandbox's own.
    const outside = [beside, '/etc/conclave-test', path.join(os.homedir(), '.conclave-test')]
    expect(outside.filter((file) => fs.existsSync(file))).toEqual([])
    expect(look(folder, 'in')).toBe('x\n')
  })

  testWith('bwrap', 'as another user than root too', async () => {
    const folder = temporaryFolder()
    writeFiles(folder, { '.mcp.json': 'original' })
    const root = process.getuid?.() === 0
    if (root) spawnSync('chown', ['-R', '65534:65534', folder])
    // Root in a folder of somebody else: it can write there, and is confined all the same.
    const { output } = await run(
      folder,
      'echo evil > .mcp.json; echo x > new; echo x > /etc/conclave-test; cat new',
    )
    expect(output.match(/Read-only file system/g)).toHaveLength(2)
    expect(output).toContain('x\n')
    expect(look(folder, '.mcp.json')).toBe('original')
    expect(needs('bwrap')).toBe(true)
  })
})
