import { asId, type Decision, type DecisionId, type Principal, type PrincipalId, systemScope, type Verdict } from '../../../runtime/domain/index.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import type { Installation } from '../installation.ts'
import { callKeyOf } from '../invariants/calls.ts'
import type { Chance } from '../world/chance.ts'
import type { World } from '../world/world.ts'
import type { ExternalSystem } from './system.ts'

const names = ['ada', 'bob', 'eve'] as const
/** How long until somebody looks at a decision: a script, a person at the screen, a person who was called. */
const delays = [
  [10, 500],
  [1_000, 30_000],
  [60_000, 3_600_000],
] as const

/**
 * People who answer decisions, soon or late, sometimes two at once. They tell the truth: about a write in
 * doubt they say what the external system's own record says at that moment.
 */
export class People {
  readonly #world: World
  readonly #chance: Chance
  readonly #installation: Installation
  readonly #store: Store
  readonly #system: ExternalSystem
  readonly #known = new Set<DecisionId>()
  /** Acknowledged answers. */
  answered = 0

  constructor(world: World, installation: Installation, store: Store, system: ExternalSystem) {
    this.#world = world
    this.#chance = world.chance.fork()
    this.#installation = installation
    this.#store = store
    this.#system = system
  }

  /** Called when a decision is open. Somebody will look at it. */
  hear(id: DecisionId): void {
    if (this.#known.has(id)) return
    this.#known.add(id)
    this.#soon(id)
  }

  #soon(id: DecisionId): void {
    const [soonest, latest] = this.#chance.one(delays)
    this.#world.after(this.#chance.between(soonest, latest), null, () => void this.#look(id))
  }

  async #look(id: DecisionId): Promise<void> {
    const decision = await this.#store.decisions.get(systemScope, id)
    if (decision?.state !== 'open') return
    this.#world.stir()
    const who = this.#chance.happens(0.3) ? [names[0], names[1]] : [this.#chance.one(names)]
    for (const name of who) this.#answer(decision, name)
    this.#soon(id)
  }

  #answer(decision: Decision, name: string): void {
    const api = this.#installation.api()
    if (!api) return
    const verdict = this.#verdict(decision)
    this.#world.note(name, `answers ${verdict} to ${api.machine.name}`, [decision.step, decision.run, decision.kind])
    const output = verdict === 'happened' ? { state: 'done' } : null
    api.desk.answer(person(name), decision.id, { verdict, reason: null, output }).then(
      () => {
        this.answered += 1
      },
      (error: unknown) => {
        this.#world.note(name, 'is refused', error)
        if (!isTocsinError(error) || !expected.has(error.code)) this.#world.fail(`an answer was refused: ${String(error)}`)
      },
    )
  }

  #verdict({ kind, run, step }: Decision): Verdict {
    if (kind !== 'in_doubt') return this.#chance.happens(0.2) ? 'decline' : 'approve'
    if (this.#chance.happens(0.2)) return 'give_up'
    return this.#system.arrivals.has(callKeyOf(run, step)) ? 'happened' : 'repeat'
  }
}

/** Errors that people may get because somebody was quicker, or the store is away. */
const expected = new Set(['store_unavailable', 'decision_closed', 'decision_expired', 'decision_answered'])

function person(name: string): Principal {
  return { id: asId<PrincipalId>(name), name, permissions: ['decisions:answer'], organizations: 'all', createdAt: 0, createdBy: null }
}
