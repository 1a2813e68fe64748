import { Dice } from '../engine/support/random-playbook.ts'
import { head } from '../engine/support/random-sleeper.ts'

/** What the steps at a place may name. */
interface Around {
  readonly depth: number
  readonly loop: string
  readonly concurrent: boolean
  /** Steps that may have a result here. */
  readonly seen: string[]
}

/** A random playbook of everything on which the way of a run may depend: each kind of step, joins, failures and waits. */
export class RandomWay {
  readonly text: string
  readonly #dice: Dice
  #ids = 0

  constructor(seed: number) {
    this.#dice = new Dice(seed)
    const steps = this.#steps({ depth: 0, loop: '', concurrent: false, seen: [] }, 2 + this.#dice.roll(3))
    const limits = { steps: 10_000, time: this.#dice.one(['1m', '20m', '3h', '100h']) }
    this.text = `${head}limits: ${JSON.stringify(limits)}\nsteps: ${JSON.stringify(steps, null, 1)}\n`
  }

  #steps(around: Around, count = 1 + this.#dice.roll(3)): object[] {
    const here = { ...around, seen: [...around.seen] }
    const steps = Array.from({ length: count }, () => this.#step(here)).flat()
    return steps.length > 0 ? steps : [{ id: `s${++this.#ids}`, wait: { for: '5ms' } }]
  }

  #step(around: Around): object[] {
    const id = `s${++this.#ids}`
    const user = `${id}${around.loop}`
    const steps = this.#kind(id, user, around)
    if (steps.length > 0) around.seen.push(id)
    return steps
  }

  #kind(id: string, user: string, around: Around): object[] {
    const kind = this.#dice.roll(around.depth < 3 ? 24 : 15)
    const one = (step: object): object[] => [{ id, ...step, ...this.#modifiers(around) }]
    if (kind < 3) return one({ skill: 'directory.get_user', with: { user } })
    if (kind < 6)
      return one({
        skill: `directory.${this.#dice.one(['page_user', 'suspend_user', 'unpair_user', 'ring_user'])}`,
        with: { user: this.#subject(user, around) },
      })
    if (kind === 6) return one({ skill: 'directory.tag_at_once', with: { users: [user] } })
    if (kind === 7) return one({ case: this.#dice.one([{ note: user }, { severity: this.#dice.one(['low', 'high']) }]) })
    if (kind === 8) return one({ wait: { for: this.#dice.one(['10ms', '20ms', '3s', '10m', '1h']) } })
    if (kind === 9)
      return one({
        wait: {
          poll: { skill: 'directory.get_user', with: { user } },
          every: this.#dice.one(['1s', '5m']),
          until: { '==': [{ var: 'output.state' }, 'gone'] },
          at_most: '15m',
        },
      })
    if (kind === 10) return one({ script: 'export default ({ user }: { user: string }) => ({ user })', with: { user } })
    if (kind === 11) return one({ approve: { title: `Go on with ${user}?`, ...(this.#dice.roll(2) === 0 && { expires: '30m' }) } })
    if (kind === 12 && !around.concurrent) return one({ set: { [`v${this.#dice.roll(2)}`]: user } })
    if (kind === 13)
      return this.#dice.roll(2) === 0
        ? [
            {
              id,
              stop: { outcome: this.#dice.one(['completed', 'failed']), reason: 'enough' },
              ...(this.#dice.roll(3) > 0 && { if: this.#condition(around) }),
            },
          ]
        : []
    if (kind < 16) return one({ skill: 'directory.get_user', with: { user } })
    const inner = { ...around, depth: around.depth + 1 }
    if (kind === 16) return one({ playbook: 'inner', with: { user } })
    if (kind === 17) return [{ id, if: this.#condition(around), then: this.#steps(inner), else: this.#steps(inner) }]
    if (kind === 18)
      return [
        {
          id,
          switch: [
            { when: this.#condition(around), steps: this.#steps(inner) },
            { default: true, steps: this.#steps(inner) },
          ],
        },
      ]
    if (kind < 21) {
      const concurrency = 1 + this.#dice.roll(3)
      const as = `i${around.depth}`
      const steps = this.#steps({ ...inner, loop: `${around.loop}-{{ ${as} }}`, concurrent: inner.concurrent || concurrency > 1 })
      return steps.length === 0 ? [] : one({ foreach: ['x', 'y', 'z'].slice(0, 1 + this.#dice.roll(3)), as, concurrency, steps })
    }
    return this.#parallel(id, inner)
  }

  #parallel(id: string, inner: Around): object[] {
    const names = ['a', 'b', 'c'].slice(0, 2 + this.#dice.roll(2))
    const branches = Object.fromEntries(names.map((name) => [name, this.#steps({ ...inner, concurrent: true })]))
    if (Object.values(branches).some((steps) => steps.length === 0)) return []
    const join = this.#dice.one(['all', 'any', 'any', { at_least: 2 }])
    const rest = join !== 'all' && { rest: this.#dice.one(['finish', 'cancel']) }
    const told = {
      id: `s${++this.#ids}`,
      if: { '==': [{ var: [`steps.${id}.output.${names[0]}.status`, 'none'] }, 'done'] },
      skill: 'directory.page_user',
      with: { user: `${id}-won${inner.loop}` },
      on_error: 'continue',
    }
    return [
      { id, parallel: { join, ...rest, branches }, ...(this.#dice.roll(2) === 0 && { on_error: 'continue' }) },
      ...(this.#dice.roll(2) === 0 ? [told] : []),
    ]
  }

  #modifiers(around: Around): object {
    const choice = this.#dice.roll(7)
    const handler = choice < 3 ? 'continue' : choice === 3 && around.depth < 3 ? this.#steps({ ...around, depth: around.depth + 1 }, 1) : []
    return { ...(choice === 5 && { if: this.#condition(around) }), ...(handler.length > 0 && { on_error: handler }) }
  }

  #condition({ seen }: Around): object {
    if (seen.length === 0) return { '==': [this.#dice.roll(2), 1] }
    const step = this.#dice.one(seen)
    return { '==': [{ var: [`steps.${step}.status`, 'none'] }, this.#dice.one(['done', 'done', 'failed', 'none'])] }
  }

  #subject(user: string, { seen }: Around): string {
    return seen.length > 0 && this.#dice.roll(3) === 0 ? `${user}-{{ steps.${this.#dice.one(seen)}.status | default: 'none' }}` : user
  }
}

/** The playbook that its steps of kind \`playbook\` run. */
export const innerPlaybook = `format: 1
playbook: inner
connections: { directory: { integration: directory } }
inputs: { user: { type: string } }
limits: { time: 2h }
steps:
  - { id: seen, skill: directory.get_user, with: { user: '{{ inputs.user }}' } }
  - id: both
    parallel:
      join: any
      rest: cancel
      branches:
        one: [{ id: cool, wait: { for: 15ms } }, { id: again, skill: directory.page_user, with: { user: '{{ inputs.user }}' } }]
        two: [{ id: look, skill: directory.get_user, with: { user: '{{ inputs.user }}' } }, { id: bye, if: { '==': [{ var: steps.look.output.state }, gone] }, stop: { outcome: completed } }]
outputs: { won: '{{ steps.both.output.one.status }}' }
`
