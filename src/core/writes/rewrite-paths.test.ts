import { describe, expect, it } from 'vitest'
import { rewritePaths } from './rewrite-paths.ts'

const from = '/data/run_1/agents/a1/app'
const rewrite = (text: string): string => rewritePaths(text, [{ from, to: '/home/me/app' }])

describe('rewriting paths', () => {
  it.each([
    [from, '/home/me/app'],
    [`${from}/`, '/home/me/app/'],
    [`see ${from}/src/x.ts:12:3 and ${from}.`, 'see /home/me/app/src/x.ts:12:3 and /home/me/app.'],
    [`"${from}", (${from}) \`${from}\``, '"/home/me/app", (/home/me/app) `/home/me/app`'],
    [`cd ${from} && ls`, 'cd /home/me/app && ls'],
    [`file://${from}/x`, 'file:///home/me/app/x'],
    [`--root=${from}/x:${from}/y`, '--root=/home/me/app/x:/home/me/app/y'],
    [`wait ${from}...`, 'wait /home/me/app...'],
    [`${from}\n${from}`, '/home/me/app\n/home/me/app'],
  ])('%j becomes %j', (text, wanted) => {
    expect(rewrite(text)).toBe(wanted)
  })

  it.each([
    `${from}2/x`,
    `${from}-old`,
    `${from}.bak`,
    `${from}é`,
    `${from}_1`,
    `/other${from}/x`,
    `.${from}`,
    `~${from}`,
    `x${from}`,
    `https://host${from}`,
    from.toUpperCase(),
  ])('%j stays', (text) => {
    expect(rewrite(text)).toBe(text)
  })

  it('takes the longest name, and never looks at what it put in', () => {
    const rewrites = [
      { from: '/w/a', to: '/w/a/b' },
      { from: '/w/a/b', to: '/w/a' },
    ]
    expect(rewritePaths('/w/a /w/a/b /w/a/c', rewrites)).toBe('/w/a/b /w/a /w/a/b/c')
  })

  it('takes names as they are, not as patterns', () => {
    expect(rewritePaths('/w/a.c/x /w/abc/x', [{ from: '/w/a.c', to: '/u' }])).toBe('/u/x /w/abc/x')
    expect(rewritePaths('/w (1)/[x]/f', [{ from: '/w (1)/[x]', to: '/$&' }])).toBe('/$&/f')
    expect(rewritePaths('text', [{ from: '/', to: '/u' }])).toBe('text')
  })
})
