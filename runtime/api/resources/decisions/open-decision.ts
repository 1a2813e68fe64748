import Type, { type Static } from 'typebox'
import { type Decision, type DecisionId, decisionKinds, type Run, type Scope, type TimelineEntry } from '../../../domain/index.ts'
import type { Store } from '../../../storage/index.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'

/** A decision that somebody still has to make, where it is told with what it is about. */
export const OpenDecisionSchema = Type.Object({
  id: Type.String(),
  kind: oneOf(decisionKinds, 'in_doubt: a write was sent, and nobody knows whether it happened.'),
  run: Type.String({ description: 'The run_id.' }),
  step: Type.String({ description: 'Address of the step that asks.' }),
  title: Type.String(),
  asked_at: Time,
  expires_at: nullable(Type.Integer({ description: 'Epoch milliseconds; null: it stays open.' })),
})

export function openDecisionView({ id, kind, run, step, title, askedAt, expiresAt }: Decision): Static<typeof OpenDecisionSchema> {
  return { id, kind, run, step, title, asked_at: askedAt, expires_at: expiresAt }
}

/** The decisions that are open of those that a timeline tells of, the first asked first. */
export async function openDecisionsOf(store: Store, scope: Scope, timeline: readonly TimelineEntry[]): Promise<readonly Decision[]> {
  const open = new Set<DecisionId>()
  for (const { body } of timeline) {
    if (body.kind !== 'decision') continue
    // Told as open once more with each of several approvals.
    if (body.state === 'open') open.add(body.decision)
    else open.delete(body.decision)
  }
  const found = await Promise.all([...open].map((id) => store.decisions.get(scope, id)))
  return found.flatMap((decision) => (decision?.state === 'open' ? [decision] : []))
}

/** More than this a run does not ask at once. */
const mostOpen = 1_000

/** The decisions that are open of some runs, the first asked first. */
export async function openDecisionsOfRuns(store: Store, scope: Scope, runs: readonly Run[]): Promise<readonly Decision[]> {
  const going = runs.flatMap(({ id, state }) => (state === 'running' || state === 'waiting' ? [id] : []))
  if (going.length === 0) return []
  return (await store.decisions.list(scope, { runs: going, states: ['open'], after: null, limit: mostOpen })).items.toReversed()
}
