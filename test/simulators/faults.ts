/** An answer of a simulator. `written` means that the request changed the simulated system. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /**
   * Replaces `body` if the answer is too large for memory. The chunks are made as fast as the
   * client reads them.
   */
  readonly chunks?: () => Iterable<string>
  readonly written?: boolean
}

/** A fault of a request. It replaces or changes the simulated system's own answer. */
export type Fault =
  /**
   * Answers with `reply`. With `effect: 'done'` the system does its work first, like a gateway that
   * fails on the way back.
   */
  | { readonly kind: 'answer'; readonly reply: Reply; readonly effect: 'none' | 'done' }
  /** Does the work at once, and answers after this many milliseconds. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** Does the work at once, and answers when the test calls `release`. */
  | { readonly kind: 'hold' }
  /**
   * Closes the connection before the work is done, after it is done, or in the middle of the
   * answer's body.
   */
  | { readonly kind: 'cut'; readonly when: 'before_effect' | 'after_effect' | 'in_body' }

export interface FaultRule {
  readonly fault: Fault
  /** How many requests it applies to. Then the rule is removed. */
  readonly times: number
  /** Applies only to requests with this method. */
  readonly method?: string
  /** Applies only to requests whose path starts with this. */
  readonly path?: string
}

/** The switches of a simulator. The oldest rule that fits a request applies. */
export class Faults {
  #rules: { readonly rule: FaultRule; left: number }[] = []
  #held: (() => void)[] = []

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times })
  }

  /** Removes all rules, and answers the requests that wait for `release`. */
  clear(): void {
    this.#rules = []
    this.release()
  }

  /** Answers all requests that wait. Returns how many there were. */
  release(): number {
    const held = this.#held
    this.#held = []
    for (const answer of held) answer()
    return held.length
  }

  hold(answer: () => void): void {
    this.#held.push(answer)
  }

  /** The number of requests that wait for `release`. */
  get holding(): number {
    return this.#held.length
  }

  /** Returns the fault for this request, and counts it. */
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
