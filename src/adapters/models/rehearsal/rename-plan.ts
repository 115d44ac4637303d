import type { Plan } from './action.ts'
import type { RenameWork } from './rename-work.ts'
import { describeScope } from './scope.ts'
import { looksUsed } from './searching.ts'
import { code, count, some } from './voice.ts'

/** What a rename would do, from what the searches found. The goal reads back as the same task. */
export function renamePlan({ intent: { from, to, scope, force }, uses, targets }: RenameWork): Plan {
  const where = describeScope(scope)
  const files = targets.map(({ path }) => {
    const lines = uses.hits.filter((hit) => hit.path === path && looksUsed(hit, from)).map(({ line }) => line)
    return { path, lines: some(lines.map(String), 12) }
  })
  return {
    goal: `Rename ${code(from)} to ${code(to)}${where && ` ${where}`}${force ? ' anyway' : ''}`,
    steps: [
      {
        action: "Run the project's tests, if it has any",
        reason: 'To know afterwards whether the change broke something',
        tools_needed: ['list_directory', 'read_file', 'shell'],
        estimated_time: 'as long as the tests take',
      },
      ...files.map(({ path, lines }) => ({
        action: `Rename ${code(from)} to ${code(to)} in ${path} (line ${lines})`,
        reason: `${path} uses ${code(from)}`,
        tools_needed: ['read_file', 'update_file'],
        estimated_time: 'seconds',
      })),
      {
        action: `Search for ${code(from)} again and run the tests again`,
        reason: 'To see that no use is left and that the tests still pass',
        tools_needed: ['search_code', 'shell'],
        estimated_time: 'as long as the tests take',
      },
    ],
    risks: [
      'Names are matched as whole identifiers, not by type: another symbol of the same name is renamed too',
      'Comments, strings and documentation that name the symbol are changed as well',
      ...(uses.cut ? ['The search stopped at its limit: there are more files than these'] : []),
    ],
    prerequisites: [`A look at the ${count(files.length, 'file')} above, and a clean working copy`],
  }
}
