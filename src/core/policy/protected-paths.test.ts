import { describe, expect, it } from 'vitest'
import { protectedPath } from './protected-paths.ts'

describe('protected paths', () => {
  it.each([
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    'vendor/library/.git/hooks/post-checkout',
    'a/./.git/config',
    'a\\.git\\config',
    '.GIT/config',
    '.Git',
    '.git./config',
    '.git /config',
    '.git . ./config',
    '.g\u200cit/config',
    '\uff0egit/config',
    '.\uff47it/config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    'conclave.yaml',
    'sub/Conclave.YAML',
    '.conclave/config.yaml',
    'sub/.conclave/config.yaml',
    '.CONCLAVE/CONFIG.yaml.',
    '.mcp.json',
    'deep/down/.MCP.json',
    '.bashrc',
    'home/.zshrc',
    '.profile',
    '.bash_profile',
    '.zprofile',
    '.zshenv',
    '.config/fish/config.fish',
  ])('%j is protected', (path) => {
    expect(protectedPath(path)).toEqual(expect.any(String))
  })

  it.each([
    'src/main.ts',
    '.gitignore',
    '.gitattributes',
    '.github/workflows/ci.yaml',
    'git/config',
    'config.yaml',
    '.conclave/notes.md',
    'conclave.yaml.md',
    'mcp.json',
    'bashrc',
    'src/profile.ts',
    '...',
    '',
  ])('%j is not', (path) => {
    expect(protectedPath(path)).toBeUndefined()
  })
})
