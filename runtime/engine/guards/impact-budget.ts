import { type ImpactLimits, type Json, overLimits } from '../../domain/index.ts'
import { failed } from '../failure/failed.ts'
import { RunFailed } from '../failure/signals.ts'
import { type Replay, spentMark } from '../journal/replay.ts'
import type { RunLog } from '../journal/run-journal.ts'

/** A call that changes something. */
export interface Spending {
  readonly impact: 'write' | 'high'
  readonly target: string | null
}

/** Limits, and whose they are. */
export interface BudgetLimits {
  /** Whose limits they are: the text that follows `limits.impact.<name>` in a message. */
  readonly whose: string
  readonly limits: ImpactLimits
}

/** What a budget has counted. */
interface Counted {
  /** Addresses of the calls. */
  readonly addresses: Set<string>
  readonly targets: Set<string>
}

/**
 * The impact budget (`limits.impact`) of a playbook in one run, and that of the organization's policy. Both
 * apply. A call counts once, before it is sent, however often it is tried. The count is recorded in the
 * journal with the call, so a resumed run has the same budget left.
 */
export class ImpactBudget {
  readonly #bounds: readonly BudgetLimits[]
  readonly #journal: RunLog
  readonly #calls = { high: 0, write: 0 }
  /** Null: no call is counted. */
  #counted: Counted | null = null

  /** @param prefix the address of the sub-playbook; empty for the run */
  constructor(bounds: readonly BudgetLimits[], replay: Replay, journal: RunLog, prefix: string) {
    this.#bounds = bounds.filter(({ limits }) => Object.values(limits).some((limit) => limit !== null))
    this.#journal = journal
    if (this.#bounds.length === 0) return
    for (const [address, value] of replay.spentIn(prefix)) this.#count(address, value as unknown as Spending)
  }

  #count(address: string, { impact, target }: Spending): void {
    this.#counted ??= { addresses: new Set(), targets: new Set() }
    this.#counted.addresses.add(address)
    this.#calls[impact] += 1
    if (target !== null) this.#counted.targets.add(target)
  }

  /**
   * Checks whether the budget has room for a call, without counting it.
   * @throws RunFailed `impact_exceeded`
   */
  afford(step: string, { impact, target }: Spending): void {
    if (this.#counted?.addresses.has(spentAt(step))) return
    const { high, write } = this.#calls
    const more = target !== null && !this.#counted?.targets.has(target) ? 1 : 0
    const counts = {
      high: high + (impact === 'high' ? 1 : 0),
      write: write + (impact === 'write' ? 1 : 0),
      targets: (this.#counted?.targets.size ?? 0) + more,
    }
    for (const { whose, limits } of this.#bounds) {
      const [over] = overLimits(limits, counts)
      if (!over) continue
      const { name, most, limit } = over
      throw new RunFailed(
        failed('impact_exceeded', `It was not sent. It would be number ${most}, and limits.impact.${name}${whose} is ${limit}.`, step),
      )
    }
  }

  /** Counts the call of a step. @throws RunFailed `impact_exceeded`: it must not be sent */
  spend(step: string, spending: Spending): void {
    const address = spentAt(step)
    if (this.#bounds.length === 0 || this.#counted?.addresses.has(address)) return
    this.afford(step, spending)
    this.#count(address, spending)
    this.#journal.defer({ kind: 'decided', address, value: { ...spending } as Json })
  }
}

function spentAt(step: string): string {
  return `${step}${spentMark}`
}
