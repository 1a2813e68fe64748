import type { Millis } from '../../../runtime/domain/index.ts'
import { callKeyOf } from './calls.ts'
import type { Evidence, Life } from './evidence.ts'

/** A call is counted right before its intent. A process may die in between. */
const between: Millis = 120_000

/**
 * Checks that within the span of its quota no more high-impact calls of a skill arrive than allowed, except
 * those that people allowed.
 */
export function judgeQuotas({ world, system, scenario }: Evidence, lives: readonly Life[]): void {
  const quota = scenario.policy?.limits.quotas.high
  if (!quota) return
  const times = new Map<string, Millis[]>()
  for (const { run, journal, decisions } of lives) {
    const letThrough = new Set(decisions.filter(({ kind, state }) => kind === 'quota' && state === 'approved').map(({ step }) => step))
    for (const record of journal.flatMap((entry) => entry.records)) {
      if (record.kind !== 'intent' || record.try > 1 || letThrough.has(record.address) || letThrough.has(`${record.address}#quota`)) continue
      const skill = system.arrivals.get(callKeyOf(run.id, record.address))?.[0]?.skill
      if (skill === undefined || !['page_user', 'suspend_user', 'unpair_user'].includes(skill)) continue
      times.set(skill, [...(times.get(skill) ?? []), record.at])
    }
  }
  for (const [skill, all] of times) {
    const sorted = all.toSorted((a, b) => a - b)
    for (const [index, first] of sorted.entries()) {
      const last = sorted[index + quota.calls]
      if (last !== undefined && last - first < quota.per - between)
        world.fail(`${quota.calls + 1} calls of ${skill} within ${last - first} ms, and ${quota.calls} were allowed in ${quota.per}`)
    }
  }
}
