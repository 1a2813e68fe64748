import type { Case } from '../cases/case.ts'
import type { Decision } from '../decisions/decision.ts'
import { asId, type EventId } from '../ids.ts'
import type { Run } from '../runs/run.ts'

/** What webhooks can be told about. */
export const eventTypes = ['decision.opened', 'decision.closed', 'run.failed', 'case.opened'] as const
export type EventType = (typeof eventTypes)[number]

/** Names one fact: what happened, and the id of the decision, run or case that it happened to. */
export interface FactName {
  readonly type: EventType
  readonly subject: string
}

/**
 * Something that happened, with the documents as they are now. `case` is null if the fact was written before
 * its case.
 */
export type Fact =
  | { readonly type: 'case.opened'; readonly case: Case }
  | { readonly type: 'run.failed'; readonly run: Run; readonly case: Case | null }
  | { readonly type: 'decision.opened' | 'decision.closed'; readonly decision: Decision; readonly case: Case | null }

/** Returns the type and the subject of a fact, which name its event. */
export function nameOf(fact: Fact): FactName {
  switch (fact.type) {
    case 'case.opened':
      return { type: fact.type, subject: fact.case.uuid }
    case 'run.failed':
      return { type: fact.type, subject: fact.run.id }
    default:
      return { type: fact.type, subject: fact.decision.id }
  }
}

/** Returns the id of the event for a fact. It is the same whenever and by whichever process the fact is found. */
export function eventId({ type, subject }: FactName): EventId {
  return asId<EventId>(`${type.replace('.', '_')}-${subject}`)
}
