import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'vitest'

export type Need =
  | 'acp agent'
  | 'bwrap'
  | 'chromium'
  | 'docker'
  | 'fish'
  | 'git'
  | 'mount'
  | 'strace'
  | 'tmux'
  | 'xclip'
  | 'zsh'

declare module 'vitest' {
  interface TaskMeta {
    /** Set on a test this machine cannot run; `scripts/test.ts` lists it. */
    leftOut?: { need: Need; remedy: string }[]
  }
}

/** A browser on a machine that is busy with other tests takes its time. */
const BROWSER_MS = 120_000

/**
 * A test of something not every machine has. Where it is missing the test is skipped and named at the end of
 * `npm test`; where nothing may be missing (`CONCLAVE_REQUIRE_ALL=1`, set by `.ci/run`) it fails.
 */
export function testWith(needed: Need | Need[], title: string, body: () => void | Promise<void>): void {
  const missing = [needed].flat().filter((need) => !needs(need))
  if (missing.length === 0) {
    test(title, needed.includes('chromium') ? { timeout: BROWSER_MS } : {}, body)
    return
  }
  const leftOut = missing.map((need) => ({ need, remedy: machine[need].remedy }))
  if (process.env['CONCLAVE_REQUIRE_ALL'] === '1') {
    test(title, () => {
      throw new Error(
        `not run: ${leftOut.map(({ need, remedy }) => `no working ${need} (${remedy})`).join(', ')}`,
      )
    })
    return
  }
  test.skip(title, { meta: { leftOut } }, body)
}

/** Whether this machine has the thing in working order. */
export function needs(need: Need): boolean {
  const known = found.get(need)
  if (known !== undefined) return known
  const works = machine[need].probe()
  found.set(need, works)
  return works
}

const found = new Map<Need, boolean>()

const machine: Record<Need, { probe: () => boolean; remedy: string }> = {
  'acp agent': {
    probe: () => fs.existsSync(process.env['CONCLAVE_TEST_ACP_AGENT'] ?? ''),
    remedy:
      'npm install --prefix DIR --omit=optional @qwen-code/qwen-code@0.24.4, then CONCLAVE_TEST_ACP_AGENT=DIR/node_modules/.bin/qwen',
  },
  bwrap: {
    probe: () =>
      succeeds('bwrap', '--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true'),
    remedy: 'apt-get install bubblewrap, on a kernel that allows user namespaces',
  },
  chromium: { probe: () => succeeds('chromium', '--version'), remedy: 'apt-get install chromium' },
  docker: {
    probe: () => process.getuid?.() === 0 && succeeds('dockerd', '--version') && succeeds('busybox', 'true'),
    remedy:
      'apt-get install docker.io busybox-static, and run as root: the tests start a daemon of their own',
  },
  fish: { probe: () => succeeds('fish', '--version'), remedy: 'apt-get install fish' },
  git: { probe: () => succeeds('git', '--version'), remedy: 'apt-get install git' },
  mount: { probe: canMount, remedy: 'run as root with the right to mount' },
  strace: { probe: () => succeeds('strace', '-o', '/dev/null', 'true'), remedy: 'apt-get install strace' },
  tmux: { probe: () => succeeds('tmux', '-V'), remedy: 'apt-get install tmux' },
  xclip: {
    probe: () => succeeds('xclip', '-version') && succeeds('sh', '-c', 'command -v Xvfb'),
    remedy: 'apt-get install xclip xvfb',
  },
  zsh: { probe: () => succeeds('zsh', '--version'), remedy: 'apt-get install zsh' },
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0
}

function canMount(): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'conclave-mount-'))
  const mounted = succeeds('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)
  const unmounted = mounted && succeeds('umount', folder)
  fs.rmdirSync(folder)
  return unmounted
}
