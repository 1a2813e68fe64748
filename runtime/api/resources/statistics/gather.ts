import type { Millis, OrganizationId, RunState, Scope } from '../../../domain/index.ts'
import type { Turns } from '../../../fairness/index.ts'
import type { AlertFigures, RunFigures, StatisticsStore } from '../../../storage/index.ts'
import { examinedAtOnce, mostExamined } from '../../limits.ts'

/** The alerts and runs that statistics count. */
export interface Subject {
  readonly scope: Scope
  readonly organizations: readonly OrganizationId[] | undefined
  readonly from: Millis
  readonly to: Millis
  /** Whether to count runs, too. */
  readonly runs: boolean
}

/** The sums over the runs of one playbook. */
export interface PlaybookFigures {
  readonly states: Partial<Record<RunState, number>>
  readonly durations: Map<number, number>
  lastStartedAt: number
}

/** The sums of all parts. */
export interface Figures {
  /** Later than the subject's `from` if there were too many to count them all. */
  readonly from: Millis
  readonly to: Millis
  readonly complete: boolean
  readonly alerts: { readonly hours: AlertFigures['hours']; readonly verdicts: ReadonlyMap<number, number> }
  /** By playbook. Null if runs were not counted. */
  readonly runs: ReadonlyMap<string, PlaybookFigures> | null
}

/**
 * Reads the figures in parts and adds them up. Other work of the store and of this process goes on between the parts.
 *
 * @param owner whose turns of the event loop it takes
 */
export async function gather(store: StatisticsStore, subject: Subject, turns: Turns, owner: string): Promise<Figures> {
  const { scope, organizations, to } = subject
  const part = { ...(organizations && { organizations }), to, examine: examinedAtOnce }
  const hours = new Map<string, { hour: Millis; provider: string; outcome: AlertFigures['hours'][number]['outcome']; count: number }>()
  const verdicts = new Map<number, number>()
  const from = await overParts(subject.from, async (after: AlertFigures['next']) => {
    const figures = await store.alerts(scope, { ...part, from: subject.from, after })
    for (const each of figures.hours) {
      const key = `${each.hour} ${each.outcome} ${each.provider}`
      const sum = hours.get(key) ?? { ...each, count: 0 }
      sum.count += each.count
      hours.set(key, sum)
    }
    for (const { step, count } of figures.verdicts) add(verdicts, step, count)
    const turn = turns.next(owner)
    if (turn) await turn
    return figures.next
  })
  const runs = new Map<string, PlaybookFigures>()
  const runsFrom = subject.runs
    ? await overParts(from, async (after: RunFigures['next']) => {
        const figures = await store.runs(scope, { ...part, from, after })
        addRuns(runs, figures)
        const turn = turns.next(owner)
        if (turn) await turn
        return figures.next
      })
    : from
  return {
    from: Math.max(from, runsFrom),
    to,
    complete: from === subject.from && runsFrom === from,
    alerts: { hours: [...hours.values()], verdicts },
    runs: subject.runs ? runs : null,
  }
}

/** Reads all parts, or as many as are allowed. Returns the time from which on everything is counted. */
async function overParts<Next extends { readonly at: Millis }>(from: Millis, read: (after: Next | null) => Promise<Next | null>): Promise<Millis> {
  let after: Next | null = null
  for (let examined = 0; examined < mostExamined; examined += examinedAtOnce) {
    after = await read(after)
    if (after === null) return from
  }
  return after?.at ?? from
}

function addRuns(runs: Map<string, PlaybookFigures>, figures: RunFigures): void {
  for (const { playbook, state, count, lastStartedAt } of figures.states) {
    const sum: PlaybookFigures = runs.get(playbook) ?? { states: {}, durations: new Map(), lastStartedAt: 0 }
    sum.states[state] = (sum.states[state] ?? 0) + count
    sum.lastStartedAt = Math.max(sum.lastStartedAt, lastStartedAt)
    runs.set(playbook, sum)
  }
  for (const { playbook, step, count } of figures.durations) {
    const durations = runs.get(playbook)?.durations
    if (durations) add(durations, step, count)
  }
}

function add(counts: Map<number, number>, step: number, count: number): void {
  counts.set(step, (counts.get(step) ?? 0) + count)
}
