/** What helps with the habits of one family of models. Nothing for the others: words that change nothing cost tokens. */
export function modelGuidance(model: string): string {
  const name = model.toLowerCase()
  return families.find(({ fits }) => fits.test(name))?.guidance ?? ''
}

const families: readonly { fits: RegExp; guidance: string }[] = [
  {
    fits: /\bgpt-[5-9]|\bo[34]\b|codex/,
    guidance:
      'Announcing a step is not doing it: make the call in the same reply, and do not hand back before the task is done or blocked. Skip progress reports between calls.',
  },
  {
    fits: /grok/,
    guidance:
      'Call tools only through the tool interface: a call written into the text as XML or JSON is not run. Read a file before you change it.',
  },
  {
    fits: /gemini/,
    guidance:
      'Always close with words or a call: an empty reply counts as a failure. Change files with the tools, not by showing code in the reply.',
  },
  {
    fits: /qwen|llama|mistral|devstral|gemma|phi-|deepseek/,
    guidance:
      'Arguments of a call are one JSON object with exactly the fields of the tool. When a call fails, read its message and change the call; do not send the same one again.',
  },
]
