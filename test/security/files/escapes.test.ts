import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CANARY, type Scene, fileTools, makeScene, untouched, writingTools } from './file-tools.ts'

const tools = Object.keys(fileTools)

/** Ways out by name; those that are plain odd names inside lead nowhere. */
const ways: Record<string, (scene: Scene) => string> = {
  'dot dot': () => '../root-sibling/canary.txt',
  'dot dot inside': () => 'a/../../root-sibling/canary.txt',
  'dot dot alone': () => '..',
  absolute: ({ outside }) => join(outside, 'canary.txt'),
  'absolute with dot dot': ({ root }) => `${root}/../root-sibling/canary.txt`,
  'sibling with the same beginning': ({ root }) => `${root}-sibling/canary.txt`,
  'two slashes': ({ outside }) => `//${outside}//canary.txt`,
  'percent-encoded': () => '%2e%2e/root-sibling/canary.txt',
  'percent-encoded twice': () => '%252e%252e%252froot-sibling%252fcanary.txt',
  'NUL in the middle': () => 'a.txt\0/../../root-sibling/canary.txt',
  'NUL at the end': ({ outside }) => `${outside}/canary.txt\0`,
  'full-width dots': () => '\uff0e\uff0e/root-sibling/canary.txt',
  'dots with a zero-width joiner': () => '.\u200d./root-sibling/canary.txt',
  backslashes: () => '..\\root-sibling\\canary.txt',
  'another letter case': ({ outside }) => outside.toUpperCase() + '/CANARY.TXT',
  'a home': () => '~/canary.txt',
  'a system file': () => '/etc/passwd',
  'the process itself': () => '/proc/self/environ',
  'half a character': () => 'a/\ud800',
  nothing: () => '',
}

describe.each(tools)('1 %s does not leave the root', (tool) => {
  it.each(Object.keys(ways))('by name: %s', async (way) => {
    const scene = makeScene()
    const path = ways[way]?.(scene) ?? ''
    const result = await scene.run(tool, path)
    expect(scene.outsideState()).toEqual(untouched)
    expect(result.output).not.toContain(CANARY.trim())
    const odd = tool === 'create_file' && !path.includes('\0') && path.isWellFormed() && isPlainName(path)
    expect(result.success).toBe(odd)
    if (odd) expect(result.output).toContain('created')
  })
})

/** On this system these are letters like any others, so a file of that name may be made inside. */
const isPlainName = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !path.startsWith('~') && !path.split('/').includes('..')

const traps: Record<string, (scene: Scene) => string> = {
  leaf: ({ root, outside }) => {
    symlinkSync(join(outside, 'canary.txt'), join(root, 'leaf'))
    return 'leaf'
  },
  parent: ({ root, outside }) => {
    symlinkSync(outside, join(root, 'parent'))
    return 'parent/canary.txt'
  },
  'parent of something new': ({ root, outside }) => {
    symlinkSync(outside, join(root, 'parent'))
    return 'parent/a/new.txt'
  },
  chain: ({ root, outside }) => {
    symlinkSync(outside, join(root, 'one'))
    symlinkSync('one', join(root, 'two'))
    return 'two/canary.txt'
  },
  dangling: ({ root, outside }) => {
    symlinkSync(join(outside, 'not-there.txt'), join(root, 'dangling'))
    return 'dangling'
  },
  itself: ({ root }) => {
    symlinkSync('itself', join(root, 'itself'))
    return 'itself'
  },
  'the root by /proc': ({ root, outside }) => {
    symlinkSync(`/proc/self/root${outside}`, join(root, 'proc'))
    return 'proc/canary.txt'
  },
}

describe.each(tools)('2 %s does not follow', (tool) => {
  it.each(Object.keys(traps))('a link: %s', async (trap) => {
    const scene = makeScene()
    const result = await scene.run(tool, traps[trap]?.(scene) ?? '')
    expect(result).toMatchObject({ success: false })
    expect(result.output).toMatch(/symbolic link/)
    expect(scene.outsideState()).toEqual(untouched)
  })

  it('a FIFO, a socket or a device, and does not wait for one', async () => {
    const scene = makeScene()
    const names = ['fifo', 'socket']
    spawnSync('mkfifo', [join(scene.root, 'fifo')])
    const server = createServer().listen(join(scene.root, 'socket'))
    await once(server, 'listening')
    if (spawnSync('mknod', [join(scene.root, 'device'), 'c', '1', '5']).status === 0) names.push('device')
    try {
      for (const name of names) {
        expect(await scene.run(tool, name), name).toMatchObject({ success: false })
      }
    } finally {
      server.close()
    }
  })
})

it.each(writingTools)('2 %s leaves the other name of a hard link alone', async (tool) => {
  const scene = makeScene()
  linkSync(join(scene.outside, 'canary.txt'), join(scene.root, 'hard.txt'))
  await scene.run(tool, 'hard.txt')
  expect(scene.outsideState()).toEqual(untouched)
})

it('2 a link to a folder is neither listed nor searched through', async () => {
  const scene = makeScene()
  symlinkSync(scene.outside, join(scene.root, 'way-out'))
  writeFileSync(join(scene.root, 'inside.txt'), 'a canary inside\n')
  const listed = await scene.run('list_directory', '.')
  expect(listed.output).toContain('way-out  (symbolic link)')
  const searched = await scene.run('search_code', '.')
  expect(searched.output).toBe('inside.txt:1:a canary inside')
})

const protectedFiles = [
  '.git',
  '.git/config',
  '.git/hooks/pre-commit',
  '.git/info/attributes',
  'vendor/library/.git/hooks/post-checkout',
  'conclave.yaml',
  'deep/down/conclave.yaml',
  '.conclave/config.yaml',
  '.mcp.json',
  'packages/a/.mcp.json',
  '.bashrc',
  'home/.zshenv',
  '.profile',
  '.gitconfig',
  '.config/fish/config.fish',
]

const spellings: Record<string, (path: string) => string> = {
  plain: (path) => path,
  'another letter case': (path) => path.toUpperCase(),
  'a dot at the end': (path) => `${path}.`,
  'a hidden character': (path) => `${path.slice(0, 2)}\u200c${path.slice(2)}`,
  'slashes and dots': (path) => `.//${path.replaceAll('/', '/./')}`,
}

describe.each(writingTools)('4 %s writes no file that decides what runs', (tool) => {
  it.each(protectedFiles)('%s', async (file) => {
    for (const present of [false, true]) {
      for (const [name, spell] of Object.entries(spellings)) {
        const scene = makeScene()
        const full = join(scene.root, file === '.git' && present ? '.git-pointer' : file)
        if (present) {
          mkdirSync(join(full, '..'), { recursive: true })
          writeFileSync(full, CANARY)
        }
        const result = await scene.run(tool, spell(file))
        expect(result.success, `${name}, ${present ? 'present' : 'absent'}`).toBe(false)
        expect(result.output).toMatch(/is protected|does not exist|not found/)
        if (present) expect(readFileSync(full, 'utf8')).toBe(CANARY)
        else expect(spawnSync('ls', ['-A', scene.root], { encoding: 'utf8' }).stdout).toBe('')
      }
    }
  })
})
