import { Dice } from './random-playbook.ts'

/** Options for a random playbook. */
export interface SleeperOptions {
  /** A template that the names of its users begin with. */
  readonly subject?: string
  /** Skills of its writes that nobody approves first. */
  readonly writes?: readonly string[]
  /** How deep loops, branches and sub-playbooks may be nested. */
  readonly depth?: number
}

const usual: Required<SleeperOptions> = { subject: '', writes: ['page_user', 'page_user', 'suspend_user', 'unpair_user'], depth: 2 }

/** A random playbook of writes and of everything that can put a run to sleep. */
export class RandomSleeper {
  readonly text: string
  /** For each covered step, the approval that covers it. */
  readonly covered = new Map<string, string>()
  /** The most high-impact calls that a run may make. Null: any number. */
  readonly high: number | null
  readonly #dice: Dice
  readonly #options: Required<SleeperOptions>
  #ids = 0

  constructor(seed: number, options: SleeperOptions = {}) {
    this.#dice = new Dice(seed)
    this.#options = { ...usual, ...options }
    const steps = [...this.#steps(0, false), ...this.#steps(0, false)]
    this.high = this.#dice.roll(3) === 0 ? 1 + this.#dice.roll(5) : null
    const limits = { steps: 10_000, time: this.#dice.one(['20m', '2h', '100h']), ...(this.high !== null && { impact: { high: this.high } }) }
    this.text = `${head}limits: ${JSON.stringify(limits)}\nsteps: ${JSON.stringify(steps, null, 1)}\n`
  }

  /** Returns the skill that a step calls, by the step's id. */
  skillOf(id: string): string {
    return new RegExp(`"id": "${id}",\\s*"skill": "directory\\.(\\w+)"`).exec(this.text)?.[1] ?? 'page_user'
  }

  #id(): string {
    return `s${++this.#ids}`
  }

  #steps(depth: number, inLoop: boolean): object[] {
    const steps = Array.from({ length: 1 + this.#dice.roll(3) }, () => this.#step(depth, inLoop)).flat()
    return steps.length > 0 ? steps : [{ id: this.#id(), wait: { for: '10m' } }]
  }

  #step(depth: number, inLoop: boolean): object[] {
    const id = this.#id()
    const user = `${this.#options.subject}${id}${inLoop ? '-{{ item }}' : ''}`
    const kind = this.#dice.roll(depth < this.#options.depth ? 14 : 9)
    if (kind < 2) return [this.#write(id, user)]
    if (kind === 2) return [{ id, skill: 'directory.get_user', with: { user }, on_error: 'continue' }]
    if (kind === 3) return [{ id, wait: { for: this.#dice.one(['3s', '10m', '1h']) } }]
    if (kind === 4) return [this.#poll(id, user)]
    if (kind < 8) return this.#asked(id, user)
    if (kind === 8) return this.#dice.roll(3) === 0 ? [{ id, stop: { outcome: this.#dice.one(['completed', 'failed']), reason: 'enough' } }] : []
    if (kind === 9) return [{ id, playbook: 'inner', with: { user }, on_error: 'continue' }]
    if (kind === 10 || kind === 11) {
      const loop = { foreach: ['x', 'y', 'z'], concurrency: 1 + this.#dice.roll(3), steps: this.#steps(depth + 1, true) }
      return inLoop ? [] : [{ id, ...loop, on_error: 'continue' }]
    }
    return [this.#parallel(id, depth, inLoop)]
  }

  #write(id: string, user: string): object {
    const skill = this.#dice.one(this.#options.writes)
    return { id, skill: `directory.${skill}`, with: { user }, ...(this.#dice.roll(2) === 0 && { on_error: 'continue' }) }
  }

  #poll(id: string, user: string): object {
    const poll = { skill: 'directory.get_user', with: { user } }
    return {
      id,
      wait: { poll, every: this.#dice.one(['2s', '5m']), until: { '==': [{ var: 'output.state' }, 'gone'] }, at_most: '20m' },
      on_error: 'continue',
    }
  }

  #asked(id: string, user: string): object[] {
    const act = this.#id()
    this.covered.set(act, id)
    const more = { ...(this.#dice.roll(2) === 0 && { approvers: 2 }), ...(this.#dice.roll(2) === 0 && { expires: '30m' }) }
    const between = this.#dice.roll(2) === 0 ? [{ id: this.#id(), wait: { for: '10m' } }] : []
    return [
      { id, approve: { title: `Page ${user}?`, covers: act, ...more }, on_error: 'continue' },
      ...between,
      { id: act, skill: 'directory.page_user', with: { user }, on_error: 'continue' },
    ]
  }

  #parallel(id: string, depth: number, inLoop: boolean): object {
    const branches = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${id}${name}`, this.#steps(depth + 1, inLoop)]))
    const join = this.#dice.one(['all', 'any', { at_least: 2 }])
    return { id, parallel: { join, rest: this.#dice.one(['finish', 'cancel']), branches }, on_error: 'continue' }
  }
}

/** The first lines of a random playbook. */
export const head = `format: 1
playbook: test
alert_type: test
connections: { directory: { integration: directory } }
`

/** The playbook that its steps of kind \`playbook\` run. */
export const innerPlaybook = `format: 1
playbook: inner
connections: { directory: { integration: directory } }
inputs: { user: { type: string } }
steps:
  - { id: ask, approve: { title: 'Page {{ inputs.user }} again?', covers: again, expires: 2h } }
  - { id: cool, wait: { for: 1m } }
  - { id: again, skill: directory.page_user, with: { user: '{{ inputs.user }}' } }
`
