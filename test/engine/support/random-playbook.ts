/** Pseudo-random numbers that are the same at every start (mulberry32). */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Returns a number from 0 to `sides - 1`. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }

  one<T>(choices: readonly T[]): T {
    return choices[this.roll(choices.length)] as T
  }
}

/** What can be named where a step is generated. */
interface Around {
  readonly depth: number
  /** Expressions whose value is a user. */
  readonly users: readonly string[]
  readonly concurrent: boolean
}

/** A random playbook, and what its alert must contain: a flag for each condition, a list for each loop. */
export class RandomPlaybook {
  readonly flags: string[] = []
  readonly lists: { readonly name: string; readonly most: number }[] = []
  readonly text: string
  readonly #dice: Dice
  #ids = 0
  #vars = 0

  constructor(seed: number) {
    this.#dice = new Dice(seed)
    const users = ['first', '{{ alert.content.user }}', '{{ alert.content.user | upcase }}']
    this.text = `${head}steps: ${JSON.stringify(this.#steps({ depth: 0, users, concurrent: false }), null, 1)}\n`
  }

  #steps(around: Around): object[] {
    const steps: object[] = []
    const users = [...around.users]
    for (let count = 1 + this.#dice.roll(4); count > 0; count--) steps.push(this.#step(users, around))
    return steps
  }

  /** @param users gets the users that the step leaves */
  #step(users: string[], around: Around): object {
    const id = `s${++this.#ids}`
    const inner = { ...around, depth: around.depth + 1, users: [...users] }
    const modifiers = this.#modifiers(inner)
    const kind = this.#dice.roll(around.depth < 3 ? 14 : 7)
    if (kind < 2)
      return { id, skill: `directory.${this.#dice.one(['suspend_user', 'page_user'])}`, with: { user: this.#dice.one(users) }, ...modifiers }
    if (kind < 4) return { id, skill: 'directory.tag_at_once', with: { users: [this.#dice.one(users)] }, ...modifiers }
    if (kind === 4) {
      const step = { id, skill: 'directory.get_user', with: { user: this.#dice.one(users) } }
      users.push(`{{ steps.${id}.output.state }}`)
      return step
    }
    if (kind === 5 && !around.concurrent) {
      const name = `v${this.#dice.roll(3)}`
      const step = { id, set: { [name]: this.#dice.one(users) } }
      users.push(`{{ vars.${name} }}`)
      return step
    }
    if (kind === 6) return { id, stop: { outcome: 'completed' }, ...(this.#dice.roll(4) > 0 && { if: this.#flag() }) }
    if (kind < 9) {
      const { if: _, ...rest } = modifiers as { readonly if?: object }
      return { id, if: this.#flag(), then: this.#steps(inner), else: this.#steps(inner), ...rest }
    }
    if (kind === 12) return this.#switch(id, inner)
    if (kind === 13) return this.#parallel(id, inner, modifiers)
    return this.#loop(id, inner, modifiers)
  }

  #switch(id: string, inner: Around): object {
    const cases: object[] = Array.from({ length: 1 + this.#dice.roll(2) }, () => ({ when: this.#flag(), steps: this.#steps(inner) }))
    if (this.#dice.roll(2) === 0) cases.push({ default: true, steps: this.#steps(inner) })
    return { id, switch: cases }
  }

  #parallel(id: string, inner: Around, modifiers: object): object {
    const branches = Object.fromEntries(
      Array.from({ length: 2 + this.#dice.roll(2) }, (_, branch) => [
        `b${branch}`,
        this.#steps({ ...inner, users: [...inner.users], concurrent: true }),
      ]),
    )
    const rest = this.#dice.roll(2) === 0 ? { rest: 'cancel' } : {}
    return { id, parallel: { join: this.#dice.one(['all', 'any', { at_least: 2 }]), ...rest, branches }, ...modifiers }
  }

  #loop(id: string, inner: Around, modifiers: object): object {
    const known = this.#dice.roll(3) === 0 ? this.lists.at(-1) : undefined
    const list = known ?? { name: `l${this.lists.length}`, most: 1 + this.#dice.roll(3) }
    if (!known) this.lists.push(list)
    const as = `item${++this.#vars}`
    const concurrency = this.#dice.roll(3) === 0 ? 3 : 1
    const users = [...inner.users, `{{ ${as} }}`, `{{ ${as} }}`, `x{{ ${as} }}`]
    return {
      id,
      foreach: `{{ alert.content.${list.name} }}`,
      as,
      max_items: list.most,
      ...(concurrency > 1 && { concurrency }),
      steps: this.#steps({ ...inner, users, concurrent: inner.concurrent || concurrency > 1 }),
      ...modifiers,
    }
  }

  #modifiers(inner: Around): object {
    const choice = this.#dice.roll(6)
    const handler = choice === 1 ? 'continue' : choice === 2 && inner.depth < 3 ? this.#steps(inner) : undefined
    return { ...(choice === 0 && { if: this.#flag() }), ...(handler && { on_error: handler }) }
  }

  #flag(): object {
    const flag = `c${this.flags.length}`
    this.flags.push(flag)
    return { '==': [{ var: `alert.content.${flag}` }, true] }
  }
}

const head = `format: 1
playbook: test
alert_type: test
connections: { directory: { integration: directory } }
limits: { steps: 100000 }
`
