/** An answer as a simulator gives it; `written` says that it changed the simulated system. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /** In place of `body`, of an answer that is too large to be held: made as fast as it is taken. */
  readonly chunks?: () => Iterable<string>
  readonly written?: boolean
}

/** What goes wrong with a request, instead of or around the simulated system's own answer. */
export type Fault =
  /** Answers with this; `effect: 'done'` lets the system do its work first, as a gateway that fails on the way back does. */
  | { readonly kind: 'answer'; readonly reply: Reply; readonly effect: 'none' | 'done' }
  /** Does its work at once and answers after this many milliseconds. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** Does its work at once and answers when the test calls `release`. */
  | { readonly kind: 'hold' }
  /** Closes the connection: before anything is done, after it is done, or in the middle of the answer's body. */
  | { readonly kind: 'cut'; readonly when: 'before_effect' | 'after_effect' | 'in_body' }

export interface FaultRule {
  readonly fault: Fault
  /** How many requests it befalls; then it is gone. */
  readonly times: number
  /** Only requests of this method. */
  readonly method?: string
  /** Only requests whose path begins so. */
  readonly path?: string
}

/** The switches of a simulator. The first rule that fits a request is used, oldest first. */
export class Faults {
  #rules: { readonly rule: FaultRule; left: number }[] = []
  #held: (() => void)[] = []

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times })
  }

  /** Removes all rules and lets go of what is held. */
  clear(): void {
    this.#rules = []
    this.release()
  }

  /** Answers everything that is held. Returns how many there were. */
  release(): number {
    const held = this.#held
    this.#held = []
    for (const answer of held) answer()
    return held.length
  }

  hold(answer: () => void): void {
    this.#held.push(answer)
  }

  /** How many requests wait for `release`. */
  get holding(): number {
    return this.#held.length
  }

  /** The fault that befalls this request; counts it. */
  take(method: string, path: string): Fault | null {
    if (this.#rules.length === 0) return null
    const found = this.#rules.find(
      ({ rule }) => (rule.method === undefined || rule.method === method) && (rule.path === undefined || path.startsWith(rule.path)),
    )
    if (!found) return null
    found.left -= 1
    if (found.left <= 0) this.#rules = this.#rules.filter((other) => other !== found)
    return found.rule.fault
  }
}
