import type { Millis, Policy } from '../../runtime/domain/index.ts'
import { defaultPolicy } from '../../runtime/domain/index.ts'
import type { Climate } from './climate.ts'
import { Chance } from './world/chance.ts'

/** One process. It is started again after it has died. */
export interface Slot {
  readonly name: string
  readonly api: boolean
  readonly worker: boolean
  /** Whether it sweeps. One sweeping process is enough. */
  readonly sweeps: boolean
  /** How many runs it executes at once. */
  readonly concurrency: number
}

/** What one seed plays. */
export interface Scenario {
  readonly slots: readonly Slot[]
  /** `embedded`: one process with a queue of its own. `shared`: several processes that share store and queue. */
  readonly backends: 'embedded' | 'shared'
  /** Numbers of the playbooks. Each has its own alert type. */
  readonly books: readonly number[]
  readonly alerts: number
  /** Milliseconds in which the alerts are posted. */
  readonly postedWithin: Millis
  /** The policy of the organization. Null: none. */
  readonly policy: Policy | null
  readonly climate: Climate
  /** The most deaths during operations. Without a limit nothing would ever end. */
  readonly deaths: number
  /** How often a process stalls right after something, such as an intent, was journaled. */
  readonly stalls: number
  /** How long faults may happen. */
  readonly chaos: Millis
  /** How often, in that time, a process is hit from outside. */
  readonly blows: {
    readonly freezes: number
    readonly cuts: number
    readonly flushes: number
    readonly kills: number
    readonly stops: number
    readonly steps: number
    /** This often at any time, and this often when an agent gets a request. */
    readonly agents: number
  }
  /** How many remote agents are the only way to the external system. 0: it is reached directly. */
  readonly agents: number
  /** How often operators act. */
  readonly operations: { readonly cancels: number; readonly retries: number; readonly undos: number; readonly pauses: number }
  /** The most that a clock is ahead of or behind the true time. */
  readonly skew: Millis
}

/** Neighbouring seeds share their playbooks, so that these are not compiled for each seed. */
const seedsOfBooks = 16
const booksAtOnce = 3

/**
 * Makes a scenario. Each kind of fault is on or off independently, because faults that always come together
 * hide each other's effects.
 */
export function scenarioOf(seed: number, chance: Chance): Scenario {
  const embedded = chance.happens(0.2)
  const rate = (...rates: number[]): number => (chance.happens(0.5) ? 0 : chance.one(rates))
  const times = (most: number): number => (chance.happens(0.5) ? 0 : chance.between(1, most))
  // Its own stream, so that seeds without agents play the same with and without this line.
  const ofAgents = new Chance(Math.imul(seed, 0x85ebca6b))
  const agents = ofAgents.happens(0.5) ? 0 : ofAgents.between(1, 2)
  const first = Math.floor(seed / seedsOfBooks) * booksAtOnce
  return {
    slots: embedded ? [{ name: 'up', api: true, worker: true, sweeps: true, concurrency: chance.between(1, 12) }] : slotsOf(chance),
    backends: embedded ? 'embedded' : 'shared',
    books: Array.from({ length: booksAtOnce }, (_, index) => first + index),
    alerts: chance.between(1, 3),
    postedWithin: chance.one([1_000, 20_000, 120_000]),
    policy: chance.happens(0.5) ? null : policyOf(chance),
    climate: {
      death: rate(0.002, 0.01, 0.03),
      refused: rate(0.002, 0.02),
      lost: rate(0.002, 0.02),
      late: rate(0.002, 0.02),
      latency: chance.one([2, 20, 200, 2_000]),
      calls: rate(0.1, 0.4),
      jobs: rate(0.05, 0.3),
    },
    deaths: chance.between(1, 12),
    stalls: times(3),
    chaos: chance.one([20_000, 60_000, 600_000, 7_200_000]),
    blows: {
      freezes: times(2),
      cuts: times(4),
      flushes: times(2),
      kills: times(4),
      stops: times(3),
      steps: times(4),
      agents: agents === 0 ? 0 : ofAgents.between(0, 8),
    },
    agents,
    operations: { cancels: times(2), retries: times(2), undos: times(2), pauses: times(3) },
    skew: chance.one([0, 200, 1_000]),
  }
}

function slotsOf(chance: Chance): readonly Slot[] {
  const apis = chance.between(1, 2)
  const workers = chance.between(1, 3)
  const sweeper = chance.between(1, apis + workers)
  return Array.from({ length: apis + workers }, (_, index) => {
    const api = index < apis
    const name = api ? `api-${index + 1}` : `work-${index - apis + 1}`
    return { name, api, worker: !api, sweeps: index + 1 === sweeper || chance.happens(0.3), concurrency: chance.between(1, 12) }
  })
}

function policyOf(chance: Chance): Policy {
  const { approvals, limits } = defaultPolicy
  const high = chance.one(['ask', 'none'] as const)
  const impact = { high: chance.one([null, 3]), write: chance.one([null, 2]), targets: chance.one([null, 4]) }
  return {
    ...defaultPolicy,
    approvals: { ...approvals, high, approvers: chance.between(1, 2), expires: chance.one([600_000, 86_400_000]) },
    limits: { ...limits, impact, quotas: { ...limits.quotas, high: chance.one([limits.quotas.high, { calls: 2, per: 600_000 }]) } },
  }
}
