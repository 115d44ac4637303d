/**
 * Names that decide what runs on the user's machine: no tool writes them, at any depth, whether they exist yet or not.
 * Returns what the path touches, or nothing when it may be written. Takes the path as the model wrote it.
 */
export function protectedPath(path: string): string | undefined {
  const names = path.split(/[/\\]/).map(canonicalName)
  for (const [index, name] of names.entries()) {
    if (name === '.git' || name === 'git~1') return "Git's own files"
    if (SETTINGS.has(name)) return 'settings that grant rights'
    if (CONCLAVE_SETTINGS.has(name) && names[index - 1] === '.conclave') return 'settings that grant rights'
    if (START_FILES.has(name)) return 'files that run when a shell starts'
  }
  return undefined
}

const SETTINGS = new Set(['conclave.yaml', 'conclave.yml', '.mcp.json', '.gitconfig'])

const CONCLAVE_SETTINGS = new Set(['config.yaml', 'config.yml'])

const START_FILES = new Set([
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.mkshrc',
  '.shrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  '.logout',
  '.xprofile',
  '.xinitrc',
  '.xsessionrc',
  'config.fish',
  'profile.ps1',
  'microsoft.powershell_profile.ps1',
])

/**
 * One spelling for all the names some file system takes for the same file: letter case, compatibility forms, characters
 * it ignores, trailing dots and spaces, and a stream name after a colon.
 */
function canonicalName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '')
}
