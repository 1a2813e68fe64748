import type { Millis } from '../../../runtime/domain/index.ts'
import type { Answer, Arriving, Reached } from '../seams/network.ts'
import type { World } from '../world/world.ts'

/** A request that changes something, as it arrived at the external system. */
export interface Arrival {
  readonly at: Millis
  readonly leftAt: Millis
  /** The longest time that it may have been on its way. */
  readonly longestWay: Millis
  /** Names the step of the run (`callKey`). */
  readonly call: string
  readonly skill: string
  readonly user: string
  /** The process that sent it. */
  readonly from: string
}

/** The external system. It remembers every request that arrived. */
export class ExternalSystem implements Reached {
  readonly #world: World
  readonly #arrivals = new Map<string, Arrival[]>()
  readonly #unpaired = new Set<string>()
  readonly #asked = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  /** Keyed by step. */
  get arrivals(): ReadonlyMap<string, readonly Arrival[]> {
    return this.#arrivals
  }

  serve({ method, path, headers, from, leftAt, longestWay }: Arriving): Answer {
    const [, , , user = '', skill = ''] = path.split('/').map(decodeURIComponent)
    if (method === 'GET') return { status: 200, body: { state: this.#stateOf(user) } }
    const arrival: Arrival = { at: this.#world.now, leftAt, longestWay, call: headers['x-call'] ?? '', skill, user, from }
    this.#world.note('system', `${skill} ${user} arrives`, [from, arrival.call.slice(0, 8)])
    this.#arrivals.set(arrival.call, [...(this.#arrivals.get(arrival.call) ?? []), arrival])
    if (skill === 'unpair_user') this.#unpaired.add(user)
    return { status: 200, body: { state: 'done' } }
  }

  #stateOf(user: string): string {
    if (this.#unpaired.has(user)) return 'unpaired'
    const asked = (this.#asked.get(user) ?? 0) + 1
    this.#asked.set(user, asked)
    // Runs poll until the user is gone. That happens after a few polls.
    return asked > 2 + (user.length % 5) ? 'gone' : 'there'
  }
}
