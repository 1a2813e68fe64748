import { asId, decisionKinds, decisionStates, type Json, normaliseType, type RunId, runStates, verdicts } from '../../../domain/index.ts'
import { Slots, slotsFor } from '../../../fairness/index.ts'
import { Type } from '../../../schema/index.ts'
import type { RunQuery } from '../../../storage/index.ts'
import { tellAct } from '../../act.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf, ownerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { maxMillis, searchesAtOnce } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId, whileOpen } from '../../request/index.ts'
import { nullable, oneOf, pageOf, Time, Uuid } from '../../schemas.ts'
import { organizationIdsOf, runOf } from '../shared/index.ts'
import { RunDetailsSchema, runDetails } from './details.ts'
import { namesOfRuns, RunSummarySchema, runSummary, runView } from './view.ts'

const texts = Type.Unsafe<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: { type: 'string' } })
const anything = Type.Unsafe<Json>({})
const PlaybookText = Type.Object({
  name: Type.String(),
  digest: Type.String(),
  text: nullable(Type.String({ description: 'Null: the text is gone.' })),
})

const moment = {
  at: { ...Time, description: 'Epoch milliseconds. Never before that of anything with a lower order.' },
  order: Type.Integer({ description: 'What happened earlier has a lower number.' }),
}
const Moment = Type.Object(moment)

const RecordingSchema = Type.Object(
  {
    ...runSummary,
    alert: Type.Object({
      alert_content: Type.String(),
      alert_id: Type.String(),
      alert_name: Type.String(),
      alert_provider: Type.String(),
      alert_type: nullable(Type.String()),
      alert_uuid: Uuid,
      created_at: Time,
      created_at_source: nullable(Time),
      created_by: Type.String(),
      investigation_retry_count: Type.Integer(),
      organization_code: Type.String(),
      organization_uuid: Type.String(),
    }),
    playbook: PlaybookText,
    playbooks: Type.Array(PlaybookText, { description: 'The sub-playbooks that it may run.' }),
    plugins: texts,
    connections: texts,
    answers: Type.Array(
      Type.Object({
        step: Type.String({ description: 'Address.' }),
        kind: oneOf(['output', 'failed', 'sent'], 'sent: the call was sent, and nobody knows whether it happened.'),
        output: Type.Optional(anything),
        at: Type.Optional(moment.at),
        order: Type.Optional(moment.order),
        code: Type.Optional(Type.String()),
        message: Type.Optional(Type.String()),
        effect: Type.Optional(oneOf(['not_sent', 'refused', 'done', 'unknown'])),
      }),
    ),
    decisions: Type.Array(
      Type.Object({
        step: Type.String({ description: 'Address.' }),
        kind: oneOf(decisionKinds),
        state: oneOf(decisionStates),
        asked_at: Time,
        closed_at: nullable(Time),
        asked: nullable(Moment),
        heard: nullable(Type.Object(moment, { description: 'When the run went on with what people had decided.' })),
        answers: Type.Array(Type.Object({ verdict: oneOf(verdicts), by: Type.String(), reason: nullable(Type.String()), output: anything })),
      }),
    ),
    uncounted: Type.Array(Type.Object({ from: Time, to: Time }), {
      description: 'When the run waited for people, or a pause held it. This does not count towards its time limit.',
    }),
    waits: Type.Array(Type.Object({ step: Type.String({ description: 'Address.' }), ...moment }), { description: 'When its waits were over.' }),
    noted: Type.Array(Type.String(), {
      description: 'The addresses of the steps that wrote into the case, if the order of its steps depended on time.',
    }),
    decided: Type.Unsafe<Readonly<Record<string, Json>>>({
      type: 'object',
      additionalProperties: {},
      description:
        'What a replay must repeat, by address in the journal: the branches that were taken, the joins, and the times until which it waited.',
    }),
  },
  { $id: 'Recording', description: 'Everything that a replay of a run needs: its alert, its playbook, and the answers it got.' },
)

const several = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description }))

const ListQuery = Type.Object({
  since: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Started at or after; epoch milliseconds.' })),
  alert_type: several('Alert type, in any case; may be repeated.'),
  playbook: several('Name of the playbook; may be repeated.'),
  state: Type.Optional(Type.Array(oneOf(runStates), { maxItems: 50, description: 'May be repeated.' })),
  organization: several('Organization code; may be repeated.'),
  ...pageParameters,
})

const CancelBody = Type.Object(
  { reason: Type.Optional(Type.String({ format: 'text', minLength: 1, maxLength: 2_000, description: 'Shown in the case.' })) },
  { additionalProperties: false },
)

const id = Type.Object({ id: Type.String({ maxLength: 100, description: 'The run_id.' }) })
const about = { tag: 'runs', permission: 'runs:read' } as const

/** The most recordings that are read at once, for all organizations together. */
const recordingsAtOnce = 3

/** Returns whether the store may have to examine every run to fill a page. */
function looksAtMany({ types, playbooks, states }: Pick<RunQuery, 'types' | 'playbooks' | 'states'>): boolean {
  return types !== undefined || playbooks !== undefined || states !== undefined
}

/** Adds `/platformapi/runs`: list, read and cancel runs, and get the recording of one for a replay. */
export function runRoutes(app: Api, context: ApiContext): void {
  const { store, recordings, runs, turns } = context.services
  const readings = new Slots(recordingsAtOnce)
  const searches = slotsFor(searchesAtOnce)
  for (const schema of [RunSummarySchema, RunDetailsSchema, RecordingSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/runs',
    operation(
      context,
      { ...about, id: 'listRuns', summary: 'List runs, newest first', errors: ['cursor_invalid', 'organization_unknown'] },
      { querystring: ListQuery, response: { 200: pageOf('Run') } },
    ),
    async (request, reply) => {
      const { cursor, limit, ...filters } = request.query
      const { scope, principal } = callerOf(request)
      const cursors = cursorsOf('runs', filters)
      const after = timeAndId(cursors, cursor)
      const organizations = filters.organization && (await organizationIdsOf(store, scope, filters.organization, 'organization'))
      const query = {
        ...(organizations && { organizations }),
        ...(filters.alert_type && { types: filters.alert_type.map(normaliseType) }),
        ...(filters.playbook && { playbooks: filters.playbook }),
        ...(filters.state && { states: filters.state }),
        ...(filters.since !== undefined && { startedFrom: filters.since }),
        after: after && { startedAt: after.time, id: asId<RunId>(after.id) },
        limit,
      }
      const release = looksAtMany(query) ? await searches.take(ownerOf(principal), whileOpen(reply)) : null
      const page = await store.runs.list(scope, query).finally(release)
      const names = await namesOfRuns(store, scope, page.items)
      return {
        items: page.items.map((run) => runView(run, names)),
        next_cursor: nextCursor(page, cursors, ({ startedAt, id }) => [startedAt, id]),
      }
    },
  )

  app.get(
    '/platformapi/runs/:id',
    operation(
      context,
      { ...about, id: 'getRun', summary: 'Read a run with its steps', errors: ['run_unknown'] },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('RunDetails#') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      return runDetails(context.services, scope, await runOf(store, scope, request.params.id))
    },
  )

  app.post(
    '/platformapi/runs/:id/cancel',
    operation(
      context,
      {
        tag: 'runs',
        permission: 'runs:write',
        id: 'cancelRun',
        summary: 'Cancel a run',
        description:
          'After the answer, the run starts no more steps. A write that is being sent finishes, and a write in doubt is settled first. Then the run ends as failed, with run_cancelled. Safe to repeat. For a failed run with an automatic retry, cancels the retry.',
        errors: ['run_unknown', 'run_over'],
      },
      { params: id, body: CancelBody, querystring: Type.Object({}), response: { 200: Type.Ref('RunDetails#') } },
    ),
    async (request) => {
      const { principal, scope } = callerOf(request)
      const run = await runs.cancel(principal, asId<RunId>(request.params.id), request.body.reason ?? null)
      tellAct(context, request, 'a run was cancelled', { run: run.id, case: run.caseId, playbook: run.pins.playbook.name, state: run.state })
      return runDetails(context.services, scope, run)
    },
  )

  app.get(
    '/platformapi/runs/:id/recording',
    operation(
      context,
      {
        ...about,
        id: 'getRecording',
        summary: 'Read the recording of a run',
        description:
          'The alert, the texts of the playbooks that the run pinned, the answer to each call, and what people decided. The answers of external systems are unchanged.',
        errors: ['run_unknown', 'run_undoes', 'recording_too_large'],
      },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('Recording#') } },
    ),
    async (request, reply) => {
      const { scope } = callerOf(request)
      const run = await runOf(store, scope, request.params.id)
      // A recording may take many megabytes of memory, once as values and once as text.
      const release = await readings.take(run.organization)
      try {
        return await sendJson(reply, await recordings.recording(run), turns, run.organization)
      } finally {
        release()
      }
    },
  )
}
