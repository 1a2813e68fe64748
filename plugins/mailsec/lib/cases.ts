import type { Judge } from './items.ts'
import { reasonIn, textOf, verdictOf } from './verdict.ts'

/** The decision about a case. */
export interface Decision {
  readonly id: string
  readonly status: string
  readonly remediation?: string
}

/** Returns what judges the result for a case. If the answer shows the case, its own fields decide. If it only says that the case succeeded, we trust that. */
export function judgeOf(decisions: readonly Decision[]): Judge {
  return (entry, id) => {
    const wanted = decisions.find((decision) => decision.id.toLowerCase() === id.toLowerCase())
    if (wanted === undefined || reasonIn(entry) !== null || entry['success'] === false) return null
    const [status, remediation] = [textOf(entry['status']), textOf(entry['remediation'])]
    const other = wanted.remediation !== undefined && remediation !== null && !same(remediation, wanted.remediation)
    if (status === null && verdictOf(entry) === 'failed') return null
    if (status === null || same(status, wanted.status)) return other ? notApplied('remediation', remediation) : { status: 'done', error: null }
    return verdictOf(entry) === 'unknown' ? notApplied('status', status) : null
  }
}

function same(one: string, other: string): boolean {
  const word = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]/g, '')
  return word(one) === word(other)
}

function notApplied(what: string, shown: string | null): ReturnType<Judge> {
  return { status: 'failed', error: { code: 'not_applied', message: `The platform shows the case with the ${what} ${shown}.` } }
}
