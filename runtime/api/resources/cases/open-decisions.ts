import { type Case, type Decision, mayAnswer } from '../../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import type { Caller } from '../../auth/index.ts'
import type { ApiContext } from '../../context.ts'
import { oneOf } from '../../schemas.ts'

type Then = 'leave' | 'decline'

/** The field of a request that may hide open decisions in a closed case. @param whose completes the description */
export function OpenDecisions(whose: string) {
  return Type.Optional(
    oneOf(
      ['leave', 'decline'],
      `What to do with the open decisions ${whose}. leave: they stay open, and their runs wait. decline: you answer them, a write in doubt with give_up.`,
    ),
  )
}

interface Settling {
  /** The case that will be closed. */
  readonly found: Case
  readonly open: () => Promise<readonly Decision[]>
  /** What the request says. Absent: nothing. */
  readonly then: Then | undefined
  /** The reason that declined decisions get. */
  readonly reason: string
}

/**
 * Declines or leaves the open decisions of a case that a request closes.
 * @throws TocsinError `case_has_open_decisions` if the request says neither, `decision_not_yours` before any is answered
 */
export async function settleDecisions(
  { services: { decisions } }: ApiContext,
  { principal }: Caller,
  { found, open: find, then, reason }: Settling,
): Promise<void> {
  if (then === 'leave') return
  const open = await find()
  if (open.length === 0) return
  const places = open.map((decision) => ({ field: `decisions.${decision.id}`, message: decision.title }))
  if (then === undefined) {
    const count = open.length === 1 ? '1 open decision' : `${open.length} open decisions`
    throw new TocsinError('case_has_open_decisions', `${found.caseId} has ${count}: ${open.map(({ title }) => title).join('; ')}.`, places)
  }
  const others = open.filter((decision) => !mayAnswer(decision, principal))
  if (others.length > 0) {
    const theirs = others.map(({ title }) => title).join('; ')
    throw new TocsinError('decision_not_yours', `You may not answer: ${theirs}. Nothing was declined, and nothing was closed.`)
  }
  for (const decision of open) await decline(decision)

  async function decline({ id: decision, kind }: Decision): Promise<void> {
    try {
      await decisions.answer(principal, decision, { verdict: kind === 'in_doubt' ? 'give_up' : 'decline', reason, output: null })
    } catch (error) {
      // Somebody answered it at the same moment, or it has expired. Either way it no longer waits.
      const over = isTocsinError(error) && ['decision_closed', 'decision_expired', 'decision_unknown'].includes(error.code)
      if (!over) throw error
    }
  }
}
