import type { Decision, Run, Scope } from '../../../domain/index.ts'
import type { RecordedSent } from '../../../rehearsal/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import type { ApiServices } from '../../services.ts'
import { OpenDecisionSchema, openDecisionsOfRuns, openDecisionView } from '../decisions/index.ts'
import { pausesOfRun, pauseView } from '../pauses/index.ts'
import { CancellationSchema, cancellationView, namesOfRuns, RunSummarySchema, runView, UndoneBySchema, undoneByView } from './view.ts'

const DueSchema = nullable(Type.Integer({ description: 'Epoch milliseconds.' }))

const WaitingSchema = Type.Object({
  until: DueSchema,
  decisions: Type.Array(Type.String(), { description: 'Ids of the open decisions.' }),
})

const WriteSchema = Type.Object({
  step: Type.String({ description: 'Address of the step. A request of a handler adds `#` and its number.' }),
  skill: nullable(Type.String({ description: '<integration>.<skill>; null: the playbook can no longer be read.' })),
  target: nullable(Type.String({ description: 'Its target.' })),
  outcome: oneOf(['done', 'unknown'], 'unknown: nobody knows whether it happened.'),
  at: Time,
})

const DoubtSchema = Type.Object({
  step: Type.String({ description: 'Address of the step.' }),
  skill: nullable(Type.String()),
  since: Time,
  decision: nullable(Type.String({ description: 'The open decision about it. Null: nobody was asked yet, or somebody gave it up.' })),
})

const ConnectionSchema = Type.Object({
  slot: Type.String(),
  instance: Type.String(),
  id: Type.String(),
  revision: Type.Integer(),
})

const FailureSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  remedy: nullable(Type.String()),
  step: nullable(Type.String()),
})

const RequestSchema = Type.Object({
  by: nullable(Type.String({ description: "The principal's name." })),
  principal_uuid: Uuid,
  reason: nullable(Type.String()),
})

export const RunDetailsSchema = Type.Object(
  {
    ...RunSummarySchema.properties,
    error: Type.Union([Type.Null(), FailureSchema]),
    waiting: Type.Union([Type.Null(), WaitingSchema], { description: 'What a waiting run waits for. Without a time and decisions, it is due.' }),
    decisions: Type.Array(OpenDecisionSchema, { description: 'The open decisions of the run.' }),
    in_doubt: Type.Array(DoubtSchema, { description: 'Writes that were sent, and nobody knows whether they happened.' }),
    writes: Type.Array(WriteSchema, { description: 'The writes that changed something in external systems, or may have.' }),
    connections: Type.Array(ConnectionSchema, { description: 'The connections of its slots, pinned when it began.' }),
    policy_revision: Type.Integer({ description: "The revision of the organization's policy when the run started. 0: the default." }),
    retry_of: nullable(Type.String({ description: 'The run_id of the attempt before.' })),
    retry_at: nullable(Type.Integer({ description: 'For a failed run: when it is retried automatically, in epoch milliseconds.' })),
    cancelled: Type.Union([Type.Null(), CancellationSchema], { description: 'Set when somebody has cancelled it. It ends at its next step.' }),
    pauses: Type.Array(Type.Ref('Pause#'), { description: 'The pauses that hold it or, while it runs, its next write.' }),
    undone_by: Type.Array(UndoneBySchema, { description: 'The runs that undo it, oldest first. GET …/undo says what happened to its writes.' }),
    requested_by: Type.Union([Type.Null(), RequestSchema], { description: 'For an undo: who requested it, and why.' }),
  },
  { $id: 'RunDetails', description: 'A run, and what it waits for. GET …/steps lists its steps.' },
)

/** Builds the view of a run, with its open decisions and writes in doubt. @throws the store's error */
export async function runDetails(
  { store, recordings }: Pick<ApiServices, 'store' | 'recordings'>,
  scope: Scope,
  run: Run,
): Promise<Static<typeof RunDetailsSchema>> {
  const [writes, open, attempts, names, pauses, undos] = await Promise.all([
    recordings.writes(run),
    openDecisionsOfRuns(store, scope, [run]),
    store.runs.ofAlert(scope, run.alert),
    namesOfRuns(store, scope, [run]),
    pausesOfRun(store, scope, run),
    store.runs.undosOfAlert(scope, run.alert),
  ])
  const { pins, cancelled, failure } = run
  const mine = undos.filter((one) => one.undo?.run === run.id)
  return {
    ...runView(run, names),
    error: failure && { code: failure.code, message: failure.message, remedy: failure.remedy, step: failure.step },
    waiting: run.state === 'waiting' ? { until: run.wakeAt, decisions: open.map(({ id }) => id) } : null,
    decisions: open.map(openDecisionView),
    in_doubt: doubts(writes, open),
    writes: writes.map(({ address, skill, target, outcome, at }) => ({ step: address, skill, target, outcome, at })),
    connections: Object.entries(pins.connections).map(([slot, { instance, id, revision }]) => ({ slot, instance, id, revision })),
    policy_revision: pins.policy.revision,
    retry_of: run.undo ? null : (attempts.find(({ attempt }) => attempt === run.attempt - 1)?.id ?? null),
    retry_at: run.retryAt,
    cancelled: cancelled && cancellationView(cancelled),
    pauses: pauses.map(pauseView),
    undone_by: mine.map((undo) => undoneByView(undo)),
    requested_by: run.undo && { by: run.undo.name, principal_uuid: run.undo.by, reason: run.undo.reason },
  }
}

function doubts(writes: readonly RecordedSent[], open: readonly Decision[]): Static<typeof DoubtSchema>[] {
  return writes
    .filter(({ outcome }) => outcome === 'unknown')
    .map(({ address, skill, at }) => {
      const asked = open.find(({ kind, step }) => kind === 'in_doubt' && step === address)
      return { step: address, skill, since: at, decision: asked?.id ?? null }
    })
}
