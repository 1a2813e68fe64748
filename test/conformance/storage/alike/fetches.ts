import type { AlertFetch, FetchId } from '../../../../runtime/domain/index.ts'
import type { KnownFetch } from '../../../../runtime/storage/index.ts'
import { failed, fetched, newFetch } from '../fetches/made.ts'
import type { Stage } from './stage.ts'

const holders = ['a', 'b']
const hour = 3_600_000
/** Long after the end of every attempt. */
const far = 9_000_000_000_000
const states = [failed, fetched].map((state) => ({ ...state, last: state.last && { ...state.last, endedAt: 1 } }))

/** The clocks of the two stores differ, so comparisons leave out their times. */
function timeless<T extends KnownFetch | null>(known: T) {
  return known && { ...known, begunAt: known.begunAt !== undefined }
}

/** Random acts on fetches, and questions about them. */
export class FetchActs {
  readonly #stage: Stage
  #known: readonly AlertFetch[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async act(): Promise<void> {
    const { dice } = this.#stage
    if (this.#known.length === 0 || dice.roll(6) === 0) return this.#create()
    await dice.one([() => this.#revise(), () => this.#remove(), () => this.#lease(), () => this.#lease(), () => this.#hurry(), () => this.#ask()])()
  }

  async #create(): Promise<void> {
    const fetch = newFetch(this.#stage.tenant().id, { enabled: this.#stage.often() })
    const state = this.#stage.dice.one(states)
    const scope = this.#stage.scope()
    const made = await this.#stage.both.alikeOrRefused({ create: fetch, scope }, async ({ fetches }) => {
      await fetches.create(scope, fetch, state)
      return true
    })
    if (made) this.#known = [...this.#known, fetch]
  }

  async #revise(): Promise<void> {
    const { dice } = this.#stage
    const standing = dice.one(this.#known)
    const next: AlertFetch = {
      ...standing,
      name: `$name ${dice.roll(9)}`,
      enabled: this.#stage.often(),
      revision: this.#stage.next(standing.revision),
    }
    const scope = this.#stage.scope()
    const since = dice.one([null, 7])
    const result = await this.#stage.both.alikeOrRefused({ revise: next, since, scope }, ({ fetches }) => fetches.revise(scope, next, since))
    if (result === 'revised') this.#known = this.#known.map((one) => (one.id === next.id ? next : one))
  }

  async #remove(): Promise<void> {
    if (this.#stage.often()) return
    const id = this.#id()
    const scope = this.#stage.scope()
    await this.#stage.both.alikeOrRefused({ remove: id, scope }, ({ fetches }) => fetches.remove(scope, id))
  }

  async #lease(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const id = this.#id()
    const lease = { holder: dice.one(holders), duration: dice.one([0, hour]) }
    const state = dice.one(states)
    const delay = dice.one([0, hour])
    await dice.one([
      () => both.alike({ lease, id, scope }, async ({ fetches }) => timeless(await fetches.lease(scope, id, lease))),
      () => both.alike({ lease, id, scope }, async ({ fetches }) => timeless(await fetches.lease(scope, id, lease))),
      () => both.alike({ extend: lease, id, scope }, ({ fetches }) => fetches.extend(scope, id, { ...lease, duration: hour })),
      () => both.alike({ settle: lease, id, delay, scope }, ({ fetches }) => fetches.settle(scope, id, lease.holder, state, delay)),
    ])()
  }

  async #hurry(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const id = this.#id()
    const spacing = dice.one([0, hour, far])
    if (this.#stage.seldom()) await both.pass(2 * hour)
    await both.alike({ hurry: id, spacing, scope }, ({ fetches }) => fetches.hurry(scope, id, spacing))
  }

  async #ask(): Promise<void> {
    const stage = this.#stage
    const scope = stage.scope()
    const id = this.#id()
    const page = { after: stage.dice.one([null, id]), limit: 1 + stage.dice.roll(5) }
    const { id: organization } = stage.tenant()
    await stage.both.alike({ fetch: id, scope }, async ({ fetches }) => timeless(await fetches.get(scope, id)))
    await stage.both.alike({ fetches: page, scope }, async ({ fetches }) => {
      const { items, more } = await fetches.list(scope, page)
      return { more, items: items.map(timeless) }
    })
    await stage.both.alike({ count: organization, scope }, ({ fetches }) => fetches.count(scope, organization))
    await stage.both.alike({ failing: scope }, ({ fetches }) => fetches.failing(scope))
    await stage.both.alike({ due: scope }, async ({ fetches }) => (await fetches.due(scope, 1_000)).toSorted())
  }

  #id(): FetchId {
    return this.#stage.dice.one(this.#known).id
  }
}
