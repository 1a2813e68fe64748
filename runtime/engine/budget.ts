import { type ImpactLimits, type Json, overLimits } from '../domain/index.ts'
import type { Recorded } from './recorded.ts'
import type { RunLog } from './run-journal.ts'
import { RunFailed } from './signals.ts'
import { failed } from './walk.ts'

/** A call that changes something, as budgets count it. */
export interface Spending {
  readonly impact: 'write' | 'high'
  readonly target: string | null
}

/** Limits that a run keeps to. */
export interface Bound {
  /** What follows `limits.impact.<name>` in a sentence: whose it is. */
  readonly whose: string
  readonly limits: ImpactLimits
}

/**
 * The impact budget of a playbook in one run of it (`limits.impact`), and of the organization's policy: all of them hold. A call is counted
 * once, however often it is tried, and before it is sent; that it was counted goes into the journal with it, so that a resumed run has the
 * same left.
 */
export class Budget {
  readonly #bounds: readonly Bound[]
  readonly #journal: RunLog
  readonly #calls = new Map<string, Spending>()

  /** @param prefix the address of the sub-playbook; empty for the run */
  constructor(bounds: readonly Bound[], recorded: Recorded, journal: RunLog, prefix: string) {
    this.#bounds = bounds.filter(({ limits }) => Object.values(limits).some((limit) => limit !== null))
    this.#journal = journal
    if (this.#bounds.length === 0) return
    for (const [address, value] of recorded.decisionsIn(prefix)) {
      if (address.endsWith('#spent')) this.#calls.set(address, value as unknown as Spending)
    }
  }

  /** Whether there is room for the call of a step, which is not counted. @throws RunFailed `impact_exceeded` */
  afford(step: string, spending: Spending): void {
    if (this.#calls.has(spentAt(step))) return
    const calls = [...this.#calls.values(), spending]
    const of = (impact: Spending['impact']): number => calls.filter((call) => call.impact === impact).length
    const counts = { high: of('high'), write: of('write'), targets: new Set(calls.flatMap(({ target }) => target ?? [])).size }
    for (const { whose, limits } of this.#bounds) {
      const [over] = overLimits(limits, counts)
      if (!over) continue
      const { name, most, limit } = over
      throw new RunFailed(
        failed('impact_exceeded', `It would be number ${most}, and limits.impact.${name}${whose} is ${limit}; it was not sent.`, step),
      )
    }
  }

  /** Counts the call of a step. @throws RunFailed `impact_exceeded`: it must not be sent */
  spend(step: string, spending: Spending): void {
    const address = spentAt(step)
    if (this.#bounds.length === 0 || this.#calls.has(address)) return
    this.afford(step, spending)
    this.#calls.set(address, spending)
    this.#journal.ride({ kind: 'decided', address, value: { ...spending } as Json })
  }
}

function spentAt(step: string): string {
  return `${step}#spent`
}
