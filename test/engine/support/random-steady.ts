import { Dice } from './random-playbook.ts'
import { head } from './random-sleeper.ts'

/** What the steps at a place may name. */
interface Around {
  readonly depth: number
  /** The end of each user's name: the items of the loops around. */
  readonly loop: string
  readonly concurrent: boolean
  /** Steps that may have a result here. */
  readonly seen: readonly string[]
}

/**
 * A random playbook whose end depends on no time: each part of it begins and is waited for. So it has no joins of some branches only, no
 * loops that begin iterations later, no approvals that expire, and no `stop` beside other steps.
 */
export class RandomSteady {
  readonly text: string
  readonly #dice: Dice
  #ids = 0

  constructor(seed: number) {
    this.#dice = new Dice(seed)
    const steps = this.#steps({ depth: 0, loop: '', concurrent: false, seen: [] }, 3)
    this.text = `${head}limits: { steps: 10000, time: 1000h }\nsteps: ${JSON.stringify(steps)}\n`
  }

  #steps(around: Around, count = 1 + this.#dice.roll(3)): object[] {
    const seen = [...around.seen]
    return Array.from({ length: count }, () => {
      const id = `s${++this.#ids}`
      const step = this.#step(id, { ...around, seen: [...seen] })
      seen.push(id)
      return { id, ...step }
    })
  }

  #step(id: string, around: Around): object {
    const kind = this.#dice.roll(around.depth < 3 ? 17 : 11)
    if (kind < 11) return { ...this.#leaf(kind, `${id}${around.loop}${this.#status(around)}`, around), ...this.#modifiers(around) }
    const inner = { ...around, depth: around.depth + 1 }
    if (kind === 11) return { if: this.#condition(around), then: this.#steps(inner), else: this.#steps(inner) }
    if (kind === 12)
      return {
        switch: [
          { when: this.#condition(around), steps: this.#steps(inner) },
          { default: true, steps: this.#steps(inner) },
        ],
      }
    return { ...(kind < 15 ? this.#loop(inner) : this.#parallel(inner)), ...this.#modifiers(around) }
  }

  #leaf(kind: number, user: string, { concurrent }: Around): object {
    if (kind < 2) return { skill: 'directory.get_user', with: { user } }
    if (kind < 4) return { skill: 'directory.page_user', with: { user } }
    if (kind === 5) return { wait: { for: this.#dice.one(['10ms', '3s', '10m', '1h']) } }
    if (kind === 6)
      return {
        wait: {
          poll: { skill: 'directory.get_user', with: { user } },
          every: '5m',
          until: { '==': [{ var: 'output.state' }, 'gone'] },
          at_most: '9h',
        },
      }
    if (kind === 7) return { approve: { title: `Page ${user}?` } }
    if (kind === 8) return { script: 'export default ({ user }: { user: string }) => ({ user })', with: { user } }
    if (kind === 9) return { playbook: 'inner', with: { user } }
    if (kind === 4 || concurrent) return { case: { note: user } }
    return { set: { [`v${this.#dice.roll(2)}`]: user } }
  }

  #loop(inner: Around): object {
    const items = ['x', 'y', 'z'].slice(0, 1 + this.#dice.roll(3))
    const concurrency = this.#dice.roll(3) === 0 ? 1 : items.length
    const as = `i${inner.depth}`
    const steps = this.#steps({ ...inner, loop: `${inner.loop}-{{ ${as} }}`, concurrent: inner.concurrent || concurrency > 1 })
    return { foreach: items, as, concurrency, steps }
  }

  #parallel(inner: Around): object {
    const names = ['a', 'b', 'c'].slice(0, 2 + this.#dice.roll(2))
    return { parallel: { join: 'all', branches: Object.fromEntries(names.map((name) => [name, this.#steps({ ...inner, concurrent: true })])) } }
  }

  #modifiers(around: Around): object {
    const choice = this.#dice.roll(8)
    if (choice < 3) return { on_error: 'continue' }
    if (choice === 3 && around.depth < 3) return { on_error: this.#steps({ ...around, depth: around.depth + 1 }, 1) }
    return choice === 4 ? { if: this.#condition(around) } : {}
  }

  #condition({ seen }: Around): object {
    if (seen.length === 0) return { '==': [this.#dice.roll(2), 1] }
    return { '==': [{ var: [`steps.${this.#dice.one(seen)}.status`, 'none'] }, this.#dice.one(['done', 'done', 'failed', 'skipped'])] }
  }

  #status({ seen }: Around): string {
    return seen.length > 0 && this.#dice.roll(2) === 0 ? `-{{ steps.${this.#dice.one(seen)}.status | default: 'none' }}` : ''
  }
}

/** The playbook that its steps of kind `playbook` run. */
export const innerPlaybook = `format: 1
playbook: inner
connections: { directory: { integration: directory } }
inputs: { user: { type: string } }
steps:
  - { id: ask, approve: { title: 'Page {{ inputs.user }} again?' }, on_error: continue }
  - { id: cool, wait: { for: 1m } }
  - { id: again, skill: directory.page_user, with: { user: 'again-{{ inputs.user }}-{{ steps.ask.status }}' } }
`
