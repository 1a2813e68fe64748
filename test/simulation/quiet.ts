import type { Scenario } from './scenario.ts'

/** Returns a scenario without faults. Only what a test does itself happens. */
export function quiet(scenario: Scenario): Scenario {
  return {
    ...scenario,
    climate: { death: 0, refused: 0, lost: 0, late: 0, latency: 2, calls: 0, jobs: 0 },
    stalls: 0,
    blows: { freezes: 0, cuts: 0, flushes: 0, kills: 0, stops: 0, steps: 0, agents: 0 },
    agents: 0,
    operations: { cancels: 0, retries: 0, undos: 0, pauses: 0 },
    skew: 0,
  }
}
