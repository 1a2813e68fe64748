import { type Decision, type DecisionId, decisionKinds, type Run, type Scope, type TimelineEntry } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'

/** The short form of an open decision, for the views of alerts, cases and runs. */
export const OpenDecisionSchema = Type.Object({
  id: Type.String(),
  kind: oneOf(decisionKinds, 'in_doubt: a write was sent, and nobody knows whether it happened.'),
  run: Type.String({ description: 'The run_id.' }),
  step: Type.String({ description: 'Address of the step that asks.' }),
  title: Type.String(),
  asked_at: Time,
  expires_at: nullable(Type.Integer({ description: 'Epoch milliseconds; null: it stays open.' })),
})

/** Returns the short form of an open decision, as a case shows it. */
export function openDecisionView({ id, kind, run, step, title, askedAt, expiresAt }: Decision): Static<typeof OpenDecisionSchema> {
  return { id, kind, run, step, title, asked_at: askedAt, expires_at: expiresAt }
}

/** Finds the open decisions that a timeline names, oldest first. */
export async function openDecisionsOf(store: Store, scope: Scope, timeline: readonly TimelineEntry[]): Promise<readonly Decision[]> {
  const open = new Set<DecisionId>()
  for (const { body } of timeline) {
    if (body.kind !== 'decision') continue
    // Each of several approvals adds another entry that says `open`.
    if (body.state === 'open') open.add(body.decision)
    else open.delete(body.decision)
  }
  const found = await Promise.all([...open].map((id) => store.decisions.get(scope, id)))
  return found.flatMap((decision) => (decision?.state === 'open' ? [decision] : []))
}

/** A run has at most this many open decisions. */
const mostOpen = 1_000

/** Finds the open decisions of runs, oldest first. */
export async function openDecisionsOfRuns(store: Store, scope: Scope, runs: readonly Run[]): Promise<readonly Decision[]> {
  const going = runs.flatMap(({ id, state }) => (state === 'running' || state === 'waiting' ? [id] : []))
  if (going.length === 0) return []
  return (await store.decisions.list(scope, { runs: going, states: ['open'], after: null, limit: mostOpen })).items.toReversed()
}
