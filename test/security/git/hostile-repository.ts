import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, writeFiles } from '../../support/workbench.ts'

/** A repository in which every way to make Git run a program is laid out as a trap that leaves a mark. */
export interface HostileRepository {
  folder: string
  /** Names of the traps that went off since the last time. */
  sprung(): string[]
  git(...args: string[]): void
}

export function hostileRepository(): HostileRepository {
  const folder = temporaryFolder()
  const marks = temporaryFolder()
  const git = (...args: string[]): void => {
    const { status, stderr } = spawnSync('git', args, {
      cwd: folder,
      encoding: 'utf8',
      env: plainEnvironment,
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
  const trap = (name: string, then = 'cat'): string => {
    const file = join(marks, `${name}.sh`)
    writeFileSync(file, `#!/bin/sh\n: > '${join(marks, name)}'\n${then}\n`)
    chmodSync(file, 0o755)
    return file
  }

  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'x')
  git('config', 'user.email', 'x@example.org')
  writeFiles(folder, { 'a.txt': 'one\n', 'b.bin': 'two\n', 'c.mine': 'three\n', 'd.included': 'four\n' })
  git('add', '.')
  git('commit', '-qm', 'first')
  mkdirSync(join(folder, 'sub'))
  const sub = (...args: string[]) =>
    spawnSync('git', args, { cwd: join(folder, 'sub'), encoding: 'utf8', env: plainEnvironment })
  sub('init', '-q', '-b', 'main')
  writeFiles(folder, { 'sub/x.txt': 'x\n' })
  sub('add', '.')
  sub('-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-qm', 'inner')
  git('add', 'sub')
  writeFiles(folder, { '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n' })
  writeFiles(folder, {
    '.gitattributes': '*.bin diff=evil\n*.mine filter=evil\n*.included filter=hidden\n',
    'a.txt': 'one more\n',
    'b.bin': 'two more\n',
    'c.mine': 'three more\n',
    'd.included': 'four more\n',
    'sub/x.txt': 'changed\n',
    'new.mine': 'new\n',
  })
  const hooks = join(marks, 'hooks')
  mkdirSync(hooks)
  for (const hook of ['post-index-change', 'pre-commit', 'reference-transaction']) {
    writeFileSync(join(hooks, hook), `#!/bin/sh\n: > '${join(marks, `hook-${hook}`)}'\n`)
    chmodSync(join(hooks, hook), 0o755)
  }
  const included = join(marks, 'included.config')
  writeFileSync(included, `[filter "hidden"]\n\tclean = ${trap('included-filter')}\n`)
  const settings: [string, string][] = [
    ['core.fsmonitor', trap('fsmonitor', 'exit 1')],
    ['core.hooksPath', hooks],
    ['core.editor', trap('editor', 'exit 0')],
    ['core.sshCommand', trap('ssh', 'exit 1')],
    ['diff.external', trap('external-diff', 'exit 0')],
    ['diff.evil.textconv', trap('textconv', 'cat "$1"')],
    ['filter.evil.clean', trap('clean-filter')],
    ['filter.evil.smudge', trap('smudge-filter')],
    ['filter.evil.required', 'true'],
    ['credential.helper', trap('credential', 'exit 1')],
    ['alias.st', `!${trap('alias')}`],
    ['include.path', included],
    ['submodule.recurse', 'true'],
    ['status.submoduleSummary', 'true'],
    ['safe.directory', '*'],
  ]
  for (const [name, value] of settings) git('config', name, value)
  sub('config', 'core.fsmonitor', trap('submodule-fsmonitor', 'exit 1'))

  return {
    folder,
    git,
    sprung() {
      const found = readdirSync(marks).filter((name) => !name.includes('.') && name !== 'hooks')
      for (const name of found) rmSync(join(marks, name))
      return found.sort()
    },
  }
}

/** As a person's own shell would have it; only the person's config is left out. */
const plainEnvironment = {
  PATH: process.env['PATH'],
  HOME: '/nowhere',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  TERM: 'dumb',
}
