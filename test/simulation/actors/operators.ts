import { asId, type Millis, type Principal, type PrincipalId, type Run, type RunId, systemScope } from '../../../runtime/domain/index.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import type { Installation } from '../installation.ts'
import type { Process } from '../process.ts'
import type { Scenario } from '../scenario.ts'
import type { Chance } from '../world/chance.ts'
import type { World } from '../world/world.ts'

/** A run whose cancellation was acknowledged. */
export interface Cancelled {
  readonly run: RunId
  readonly at: Millis
}

/** Errors that an operator may get, because the run is not, or no longer, in the right state. */
const expected = new Set(['store_unavailable', 'run_over', 'alert_not_retriable', 'undo_nothing', 'run_going', 'run_undoes', 'undo_changed'])

const patience = 8
const goesOn = ({ endedAt }: Run): boolean => endedAt === null
const hasEnded = (run: Run): boolean => !goesOn(run)

export const operator: Principal = {
  id: asId<PrincipalId>('operator'),
  name: 'operator',
  permissions: ['admin'],
  organizations: 'all',
  createdAt: 0,
  createdBy: null,
}

/** People who cancel runs, ask for another investigation, and undo runs at random times. */
export class Operators {
  readonly #world: World
  readonly #chance: Chance
  readonly #installation: Installation
  readonly #store: Store
  readonly cancelled: Cancelled[] = []

  constructor(world: World, { operations, chaos }: Scenario, installation: Installation, store: Store) {
    this.#world = world
    this.#chance = world.chance.fork()
    this.#installation = installation
    this.#store = store
    const plan = (times: number, fits: (run: Run) => boolean, act: (api: Process, run: Run) => Promise<unknown>): void => {
      for (let time = 0; time < times; time += 1) world.after(this.#chance.delay(1_000, chaos), null, () => void this.#some(fits, act, patience))
    }
    plan(operations.cancels, goesOn, (api, run) => this.#cancel(api, run))
    plan(operations.retries, hasEnded, ({ investigations }, { alert }) => investigations.retry(operator, alert))
    plan(operations.undos, hasEnded, (api, run) => this.#undo(api, run))
  }

  /** @param left how often to look again if there is no such run yet */
  async #some(fits: (run: Run) => boolean, act: (api: Process, run: Run) => Promise<unknown>, left: number): Promise<void> {
    const api = this.#installation.api()
    const { items } = await this.#store.runs.list(systemScope, { after: null, limit: 100 })
    const fitting = items.filter(fits)
    if (!api || fitting.length === 0) {
      if (left > 0) this.#world.after(this.#chance.between(5_000, 60_000), null, () => void this.#some(fits, act, left - 1))
      return
    }
    this.#world.stir()
    try {
      await act(api, this.#chance.one(fitting))
    } catch (error) {
      this.#world.note('operator', 'is refused', error)
      if (!isTocsinError(error) || !expected.has(error.code)) this.#world.fail(`an operator was refused: ${String(error)}`)
    }
  }

  /** Previews the undo first, and then begins it. */
  async #undo({ undo, machine }: Process, run: Run): Promise<void> {
    const uncertain = this.#chance.happens(0.5)
    const { digest } = await undo.preview(run, uncertain)
    this.#world.note('operator', `undoes by ${machine.name}`, run.id)
    await undo.begin(run, { by: operator, reason: null, uncertain, seen: digest })
  }

  async #cancel({ runs, machine }: Process, { id }: Run): Promise<void> {
    this.#world.note('operator', `cancels to ${machine.name}`, id)
    await runs.cancel(operator, id, null)
    this.cancelled.push({ run: id, at: this.#world.now })
    this.#world.note('operator', 'has cancelled', id)
  }
}
