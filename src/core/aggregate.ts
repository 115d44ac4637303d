/** Not allowed now. Returned, never thrown. */
export interface Rejected {
  rejected: string
}

export const reject = (reason: string): Rejected => ({ rejected: reason })

export const isRejected = (value: object): value is Rejected => 'rejected' in value

/**
 * A thing with a log. The engine folds the log with `evolve`, stores what `decide` returns as one commit, and performs
 * what `effects` finds; resuming after a crash is the same three steps. All functions are pure: time, ids and chance
 * arrive in the input. Each costs the same however long the log is.
 */
export interface Aggregate<State, Input, Event, Effect extends Keyed> {
  initial: State
  /** May this happen, and what follows from it? */
  decide(state: State, input: Input): Event[] | Rejected
  /** What is true now? */
  evolve(state: State, event: Event): State
  /** What work is still to do? Derived, never stored. */
  effects(state: State): Effect[]
}

/** The same key is the same piece of work: it is started once, and aborted when its key is no longer asked for. */
export interface Keyed {
  key: string
}

/** Collects the events of one decision while showing the state they lead to. */
export class Draft<State, Event> {
  readonly events: Event[] = []
  state: State
  readonly #evolve: (state: State, event: Event) => State

  constructor(state: State, evolve: (state: State, event: Event) => State) {
    this.state = state
    this.#evolve = evolve
  }

  emit(...events: Event[]): void {
    for (const event of events) {
      this.events.push(event)
      this.state = this.#evolve(this.state, event)
    }
  }
}
