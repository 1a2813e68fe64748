import type { Climate } from '../climate.ts'
import type { Scenario } from '../scenario.ts'
import type { Chance } from '../world/chance.ts'
import type { World } from '../world/world.ts'

export type OperationFate = 'fine' | 'dies_before' | 'dies_after' | 'refused' | 'lost' | 'late'

const callFates = [
  'slow_connection',
  'connection_refused',
  'dies_before',
  'dies_after',
  'reset_before',
  'reset_after',
  'silent_before',
  'silent_after',
  'slow',
  'unavailable',
  'bad_gateway',
  'too_many',
] as const
export type CallFate = 'fine' | (typeof callFates)[number]

/**
 * Operations that repeat while nothing else happens. Deaths in them are rarer. Otherwise most deaths would
 * happen here.
 */
const routine = new Set([
  'sessions.heartbeat',
  'sessions.bury',
  'runs.settle',
  'alerts.repair',
  'runs.orphans',
  'runs.due',
  'alerts.pending',
  'alerts.retryDue',
  'runs.release',
  'alerts.release',
  'runs.cancelled',
  'decisions.untold',
  'decisions.left',
])

export function isRoutine(what: string): boolean {
  return routine.has(what)
}

/** Decides what happens to each operation of a process on something outside. */
export class Weather {
  readonly #chance: Chance
  readonly #climate: Climate
  #deaths: number
  #stalls: number
  /** Whether faults are over. */
  calm = false

  constructor(world: World, { climate, deaths, stalls }: Pick<Scenario, 'climate' | 'deaths' | 'stalls'>) {
    this.#chance = world.chance.fork()
    this.#climate = climate
    this.#deaths = deaths
    this.#stalls = stalls
  }

  latency(): number {
    return this.calm ? 1 : this.#chance.delay(0, this.#climate.latency)
  }

  operation(what: string): OperationFate {
    if (this.calm) return 'fine'
    const { death, refused, lost, late } = this.#climate
    const share = isRoutine(what) ? 0.1 : 1
    if (this.#dies(death * share)) return this.#chance.one(['dies_before', 'dies_after'] as const)
    if (this.#chance.happens(refused * share)) return 'refused'
    if (this.#chance.happens(lost * share)) return 'lost'
    return this.#chance.happens(late * share) ? 'late' : 'fine'
  }

  /** Whether the process stalls after this has taken effect, and before it gets the answer. */
  stalls(what: string): boolean {
    if (this.calm || this.#stalls === 0 || what !== 'journal.append' || !this.#chance.happens(0.25)) return false
    this.#stalls -= 1
    return true
  }

  call(): CallFate {
    if (this.calm || !this.#chance.happens(this.#climate.calls)) return 'fine'
    const fate = this.#chance.one(callFates)
    return fate.startsWith('dies') && !this.#dies(1) ? 'fine' : fate
  }

  job(): 'fine' | 'lost' | 'twice' {
    if (this.calm || !this.#chance.happens(this.#climate.jobs)) return 'fine'
    return this.#chance.one(['lost', 'twice'] as const)
  }

  #dies(probability: number): boolean {
    if (this.#deaths === 0 || this.#climate.death === 0 || !this.#chance.happens(probability)) return false
    this.#deaths -= 1
    return true
  }

  /** Whether a request that a process sent right before its death still arrives. */
  arrivesAfterDeath(): boolean {
    return this.#chance.happens(0.5)
  }

  /** How long somebody waits for an answer before giving up. */
  patience(): number {
    return this.#chance.delay(5, 10_000)
  }

  chance(): Chance {
    return this.#chance
  }
}
