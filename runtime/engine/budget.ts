import type { Json } from '../domain/index.ts'
import type { PlanLimits } from '../playbook/index.ts'
import type { Recorded } from './recorded.ts'
import type { RunJournal } from './run-journal.ts'
import { RunFailed } from './signals.ts'
import { failed } from './walk.ts'

/** A call that changes something, as budgets count it. */
export interface Spending {
  readonly impact: 'write' | 'high'
  readonly target: string | null
}

/**
 * The impact budget of a playbook in one run of it (`limits.impact`). A call is counted once, however often it is tried, and before it is
 * sent; that it was counted goes into the journal with it, so that a resumed run has the same left.
 */
export class Budget {
  readonly #limits: PlanLimits['impact']
  readonly #journal: RunJournal
  readonly #calls = new Map<string, Spending>()

  /** @param prefix the address of the sub-playbook; empty for the run */
  constructor(limits: PlanLimits['impact'], recorded: Recorded, journal: RunJournal, prefix: string) {
    this.#limits = limits
    this.#journal = journal
    if (!this.#limited) return
    for (const [address, value] of recorded.decisionsIn(prefix)) {
      if (address.endsWith('#spent')) this.#calls.set(address, value as unknown as Spending)
    }
  }

  get #limited(): boolean {
    return Object.values(this.#limits).some((limit) => limit !== null)
  }

  /** Counts the call of a step. @throws RunFailed `impact_exceeded`: it must not be sent */
  spend(step: string, spending: Spending): void {
    const address = `${step}#spent`
    if (!this.#limited || this.#calls.has(address)) return
    const calls = [...this.#calls.values(), spending]
    const targets = new Set(calls.flatMap(({ target }) => target ?? []))
    const of = (impact: Spending['impact']): number => calls.filter((call) => call.impact === impact).length
    for (const [name, count] of [
      ['high', of('high')],
      ['write', of('write')],
      ['targets', targets.size],
    ] as const) {
      const limit = this.#limits[name]
      if (limit === null || count <= limit) continue
      throw new RunFailed(failed('impact_exceeded', `It would be number ${count}, and limits.impact.${name} is ${limit}; it was not sent.`, step))
    }
    this.#calls.set(address, spending)
    this.#journal.ride({ kind: 'decided', address, value: { ...spending } as Json })
  }
}
