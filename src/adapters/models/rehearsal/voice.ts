/** The one line that ends every finished job. */
export const SIGNATURE = 'Done by the built-in planner (rehearsal), not by a language model.'

export const signed = (text: string): string => `${text.trimEnd()}\n\n${SIGNATURE}`

export const GREETING =
  'Hello! I am the built-in rehearsal planner, not a language model; ask me to rename a symbol, find its usages, write or edit a file, or summarise a folder.'

export const HELP = `I cannot do that: this is the built-in rehearsal planner, not a language model.

What it can really do, with the same tools a model would use:
- rename a symbol everywhere: "Find all usages of function calcTotal and rename to orderTotal"
- find and explain usages: "Where is calcTotal used?"
- create, edit or delete a file as told: "create notes/todo.md with the content …", "in README.md replace A with B"
- summarise a folder or project: "summarise src"

To connect a language model, do one of these and start conclave again:
- set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or XAI_API_KEY
- run a local server such as Ollama
- name a model in conclave.yaml

\`conclave doctor\` shows what was found.`

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

export const code = (text: string): string => `\`${text}\``

/** The first few of a list, and how many more there are. */
export function some(items: readonly string[], most: number, separator = ', '): string {
  const shown = items.slice(0, most).join(separator)
  return items.length > most ? `${shown}${separator}… and ${items.length - most} more` : shown
}
