/** A bounded memory of facts that never change; what was noted longest ago is forgotten first. */
export class Recent<Key, Fact> {
  readonly #facts = new Map<Key, Fact>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: Key): Fact | undefined {
    return this.#facts.get(key)
  }

  note(key: Key, fact: Fact): void {
    this.#facts.set(key, fact)
    if (this.#facts.size <= this.#capacity) return
    const oldest = this.#facts.keys().next()
    if (!oldest.done) this.#facts.delete(oldest.value)
  }
}
