/** How a project is tested, judged by the names in its top folder and the texts of a few of them. */
export function testCommand(
  names: ReadonlySet<string>,
  textOf: (name: string) => string | undefined,
): string | undefined {
  const has = (...candidates: string[]): boolean => candidates.some((name) => names.has(name))
  const ends = (ending: string): boolean => [...names].some((name) => name.endsWith(ending))
  const script = scriptOf(textOf('package.json'))
  if (script)
    return has('pnpm-lock.yaml')
      ? 'pnpm test'
      : has('yarn.lock')
        ? 'yarn test'
        : has('bun.lock', 'bun.lockb')
          ? 'bun run test'
          : 'npm test'
  const makefile = makefiles.map(textOf).find((text) => text !== undefined)
  if (makefile !== undefined && /^test[^\S\n]*:(?!=)/m.test(makefile)) return 'make test'
  if (has('Cargo.toml')) return 'cargo test'
  if (has('go.mod')) return 'go test ./...'
  if (has('pom.xml')) return has('mvnw') ? './mvnw -q test' : 'mvn -q test'
  if (has('build.gradle', 'build.gradle.kts')) return has('gradlew') ? './gradlew test' : 'gradle test'
  if (has('mix.exs')) return 'mix test'
  if (ends('.sln') || ends('.csproj')) return 'dotnet test'
  if (scriptOf(textOf('composer.json'))) return 'composer test'
  if (has('phpunit.xml', 'phpunit.xml.dist')) return 'vendor/bin/phpunit'
  if (has('.rspec')) return 'bundle exec rspec'
  if (/\btest\b/i.test(textOf('Rakefile') ?? '')) return 'rake test'
  return pythonCommand(names, textOf)
}

/** Files whose text says whether and how there are tests. */
export const manifests: readonly string[] = [
  'package.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'composer.json',
  'Rakefile',
]
const makefiles = ['Makefile', 'makefile', 'GNUmakefile']

function pythonCommand(
  names: ReadonlySet<string>,
  textOf: (name: string) => string | undefined,
): string | undefined {
  const configured = ['pyproject.toml', 'setup.cfg', 'tox.ini'].some((name) =>
    textOf(name)?.includes('pytest'),
  )
  if (configured || names.has('pytest.ini') || names.has('conftest.py')) return 'python3 -m pytest -q'
  const isPython =
    [...names].some((name) => name.endsWith('.py')) || names.has('pyproject.toml') || names.has('setup.py')
  if (!isPython) return undefined
  if ([...names].some((name) => /^test_.*\.py$/.test(name))) return 'python3 -m unittest'
  const folder = ['tests', 'test'].find((name) => names.has(name))
  return folder && `python3 -m unittest discover -s ${folder} -t .`
}

/** A test script that somebody wrote; `npm init` leaves one that only complains. */
function scriptOf(manifest: string | undefined): boolean {
  const found = /"test"\s*:\s*("(?:[^"\\]|\\.)*"|\[)/.exec(manifest ?? '')?.[1]
  return found !== undefined && !found.includes('no test specified')
}
