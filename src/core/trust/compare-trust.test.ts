import { expect, it } from 'vitest'
import { findTrustGaps } from './compare-trust.ts'

const file = (path: string, sha256: string) => ({ path, sha256 })

it('asks about a new file and a changed one, and about nothing else', () => {
  const trusted = { 'AGENTS.md': 'a', '.mcp.json': 'm', gone: 'g' }
  expect(findTrustGaps(trusted, [file('AGENTS.md', 'a'), file('.mcp.json', 'm')])).toEqual([])
  expect(findTrustGaps(trusted, [file('AGENTS.md', 'b'), file('conclave.yaml', 'c')])).toEqual([
    { path: 'AGENTS.md', sha256: 'b', why: 'changed' },
    { path: 'conclave.yaml', sha256: 'c', why: 'new' },
  ])
})

it('asks about everything in a folder nobody trusted, and about nothing where there is nothing', () => {
  expect(findTrustGaps({}, [file('AGENTS.md', 'a')])).toHaveLength(1)
  expect(findTrustGaps({}, [file('constructor', 'a')])).toEqual([
    { path: 'constructor', sha256: 'a', why: 'new' },
  ])
  expect(findTrustGaps({}, [])).toEqual([])
})
