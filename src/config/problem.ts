/** Something wrong in a config file, and where. */
export interface ConfigProblem {
  file: string
  line: number
  column: number
  message: string
  suggestion?: string
}

/** `file:line:column`, what was expected, the line with a caret, and a suggestion. */
export function describeProblem(
  { file, line, column, message, suggestion }: ConfigProblem,
  source: string,
): string {
  const text = source.split('\n')[line - 1] ?? ''
  const number = String(line)
  const margin = ' '.repeat(number.length)
  return [
    `${file}:${line}:${column}: ${message}`,
    `  ${number} | ${text}`,
    `  ${margin} | ${' '.repeat(Math.max(0, column - 1))}^`,
    ...(suggestion ? [`  ${suggestion}`] : []),
  ].join('\n')
}
