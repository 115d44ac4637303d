/**
 * What is called otherwise in a replay: the folder, the chat, the turns and with them the ids of calls. Both sides are
 * brought to one form before they are compared, and what the model said then is put into the names of now.
 */
export class Names {
  readonly #pairs: [then: string, now: string][] = []

  add(then: string, now: string): void {
    this.#pairs.push([inJson(then), inJson(now)])
  }

  addTurn(then: string, now: string): void {
    this.add(then, now)
    this.add(callsOf(then), callsOf(now))
  }

  /** A value of either time, with the same placeholders for both. */
  neutral<T>(value: T): T {
    return replace(
      value,
      this.#pairs.flatMap(([then, now], index): [string, string][] => [
        [then, `<name ${index}>`],
        [now, `<name ${index}>`],
      ]),
    )
  }

  /** A recorded value in the names of now. */
  translate<T>(value: T): T {
    return replace(value, this.#pairs)
  }
}

/** The longest name first, since a name may hold another; what has been replaced is not looked at again. */
function replace<T>(value: T, names: [from: string, to: string][]): T {
  const longestFirst = names.filter(([from]) => from.length > 1).sort(([a], [b]) => b.length - a.length)
  let text = JSON.stringify(value)
  // JSON holds no raw control characters.
  for (const [index, [from]] of longestFirst.entries()) text = text.replaceAll(from, `\0${index}\0`)
  for (const [index, [, to]] of longestFirst.entries()) text = text.replaceAll(`\0${index}\0`, () => to)
  return JSON.parse(text) as T
}

/** The ids of a turn's calls begin like this. */
const callsOf = (turn: string): string => `call_${turn.slice(-8)}_`

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
