/** Something wrong in a config file, and where. */
export interface ConfigProblem {
  file: string
  line: number
  column: number
  message: string
  suggestion?: string
}

/** How much of a long line is shown on each side of the problem. */
const AROUND = 60

/** `file:line:column`, what was expected, the line with a caret, and a suggestion. */
export function describeProblem(
  { file, line, column, message, suggestion }: ConfigProblem,
  source: string,
): string {
  const whole = source.split('\n')[line - 1] ?? ''
  const from = column > 2 * AROUND ? column - AROUND : 0
  const text = whole.slice(from, column + AROUND)
  const number = String(line)
  const margin = ' '.repeat(number.length)
  return [
    `${file}:${line}:${column}: ${message}`,
    `  ${number} | ${text}`,
    // Tabs stay, so that the caret stands where they put it.
    `  ${margin} | ${whole.slice(from, column - 1).replaceAll(/[^\t]/g, ' ')}^`,
    ...(suggestion ? [`  ${suggestion}`] : []),
  ].join('\n')
}
