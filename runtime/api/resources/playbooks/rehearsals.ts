import { type Alert, asId, type OrganizationId, type Run, type RunId, type Scope } from '../../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../../errors/index.ts'
import { slotsFor } from '../../../fairness/index.ts'
import { alertForDryRun, type DryRunOf } from '../../../rehearsals/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf, ownerOf, requirePermission } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { batchBodyFactor, maxMillis } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, timeAndId, whileOpen } from '../../request/index.ts'
import { nullable } from '../../schemas.ts'
import { alertOf, checkErrors, organizationCodesOf, organizationIdsOf, runOf } from '../shared/index.ts'
import { readsOf } from './reads.ts'
import {
  DryRunSchema,
  dryRunView,
  RehearsedCallSchema,
  type ReplayEnd,
  ReplaySchema,
  replayView,
  TestReportSchema,
  testReportView,
} from './rehearsal-view.ts'
import { OrganizationOfText, Text } from './sent-text.ts'

/** The most test files of one request. */
const mostTestFiles = 20
/** The most runs that one request replays, and how long it may begin new replays. */
const mostReplayed = 20
const patience = 45_000

const TestRequest = Type.Object(
  {
    text: Text,
    organization_code: OrganizationOfText,
    tests: Type.Array(
      Type.Object(
        {
          text: { ...Text, description: 'The YAML of a test file.' },
          file: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'The name that the answer uses for it.' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: mostTestFiles },
    ),
  },
  { additionalProperties: false },
)

const DryRunRequest = Type.Object(
  {
    text: Text,
    organization_code: OrganizationOfText,
    alert_id: Type.Optional(
      Type.String({ maxLength: 300, description: 'An alert_id or alert_uuid. Its organization is used; `organization_code` may name no other.' }),
    ),
    alert: Type.Optional(
      Type.Object(
        {
          alert_content: Type.String({ format: 'text', description: 'As an alert source would send it.' }),
          alert_type: Type.Optional(Type.String({ maxLength: 256 })),
          alert_name: Type.Optional(Type.String({ maxLength: 1_000 })),
          alert_provider: Type.Optional(Type.String({ maxLength: 256 })),
          created_at: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis })),
        },
        { additionalProperties: false, description: 'Instead of `alert_id`: an alert that does not exist.' },
      ),
    ),
    answers: Type.Optional(
      nullable(Type.String({ maxLength: 262_144, description: 'YAML with answers by skill, as under `answers` in a test. Others are generated.' })),
    ),
    reads: Type.Optional(
      Type.Boolean({
        description:
          'True: send the calls that only read, over the connections of the organization. Needs the scope connections:read. Writes are never sent.',
      }),
    ),
    now: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'When the run begins, in epoch milliseconds. Absent: now.' })),
  },
  { additionalProperties: false },
)

const ReplayRequest = Type.Object(
  {
    text: Text,
    organization_code: OrganizationOfText,
    run_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only this run, also if it has not ended. `since`, `limit` and `cursor` do not apply.',
      }),
    ),
    since: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Only runs that began then or later; epoch milliseconds.' })),
    limit: Type.Integer({ minimum: 1, maximum: mostReplayed, default: 10, description: 'How many runs.' }),
    cursor: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  { additionalProperties: false },
)

const about = { tag: 'playbooks', permission: 'playbooks:read' } as const
const errors = ['playbook_invalid', 'yaml_invalid', 'yaml_too_large', 'organization_unknown', ...checkErrors] as const

/** Routes that execute a sent text without changing anything: its tests, a dry run, and replays of recorded runs. */
export function playbookRehearsalRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks, clock, bodyLimit } = context.services
  const { rehearsals } = playbooks
  const replays = slotsFor(2)
  for (const schema of [RehearsedCallSchema, TestReportSchema, DryRunSchema, ReplaySchema]) app.addSchema(schema)

  const organizationOf = async (scope: Scope, code: string | undefined): Promise<OrganizationId | null> => {
    const [id] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization_code')
    return id ?? null
  }

  const replayed = async (scope: Scope, text: string, run: Run): Promise<ReplayEnd> => {
    try {
      return { run, report: await rehearsals.replay(scope, text, run) }
    } catch (error) {
      if (!isTocsinError(error) || error.code === 'internal') throw error
      return { run, error }
    }
  }

  app.post(
    '/platformapi/playbooks/test',
    {
      ...operation(
        context,
        {
          ...about,
          id: 'testPlaybook',
          summary: 'Run the tests of a playbook',
          description: 'Runs in a separate process, for 30 seconds at most. Calls nothing and stores nothing.',
          errors,
        },
        { body: TestRequest, querystring: Type.Object({}), response: { 200: Type.Ref('PlaybookTestReport#') } },
      ),
      bodyLimit: bodyLimit * batchBodyFactor,
    },
    async (request) => {
      const { scope } = callerOf(request)
      const { text, organization_code: code, tests } = request.body
      const files = tests.map((one, index) => ({ text: one.text, file: one.file ?? `tests.${index}` }))
      return testReportView(await rehearsals.test(scope, { text, organization: await organizationOf(scope, code) }, files))
    },
  )

  app.post(
    '/platformapi/playbooks/dry-run',
    operation(
      context,
      {
        ...about,
        id: 'dryRunPlaybook',
        summary: 'Show what a run of a playbook would do for an alert',
        description:
          'Give `alert_id` (needs the scope alerts:read) or `alert`. Sends nothing, except reads if you ask for them. All approvals are taken as granted. With an organization, slots without a connection are unbound.',
        errors: [...errors, 'body_invalid', 'alert_unknown', 'playbook_test_invalid'],
      },
      { body: DryRunRequest, querystring: Type.Object({}), response: { 200: Type.Ref('DryRun#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const { text, organization_code: code, alert_id, alert: given, answers = null, now = clock.now(), reads = false } = request.body
      if (reads) requirePermission(caller, 'connections:read')
      if (alert_id !== undefined) requirePermission(caller, 'alerts:read')
      const named = await organizationOf(caller.scope, code)
      const stored = alert_id === undefined ? null : await alertOf(store, caller.scope, alert_id)
      if (stored !== null) refuseBoth(stored, given, named)
      const organization = stored?.organization ?? named
      const alert = stored === null ? alertGiven(given, code) : alertForDryRun(stored)
      const read = reads ? readsOf(context, request) : null
      return dryRunView(await rehearsals.dryRun(caller.scope, { text, organization, alert, now, answers, read }))
    },
  )

  app.post(
    '/platformapi/playbooks/replay',
    operation(
      context,
      {
        ...about,
        id: 'replayPlaybook',
        summary: 'Replay recorded runs with another text of their playbook',
        description:
          'Takes the newest ended or waiting runs of the alert types of the text, and shows which writes would appear, vanish or change. Needs the scope runs:read. Sends nothing. May answer fewer than `limit` runs: go on with `next_cursor`.',
        errors: [...errors, 'body_invalid', 'cursor_invalid', 'permission_missing', 'run_unknown', 'run_undoes'],
      },
      {
        body: ReplayRequest,
        querystring: Type.Object({}),
        response: { 200: Type.Object({ items: Type.Array(Type.Ref('Replay#')), next_cursor: nullable(Type.String()) }) },
      },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      requirePermission(caller, 'runs:read')
      const { text, organization_code: code, run_id, since, limit, cursor } = request.body
      const { scope } = caller
      const organization = await organizationOf(scope, code)
      const chosen = run_id === undefined ? null : await runOf(store, scope, run_id)
      const types = await rehearsals.typesOf(scope, text)
      if (chosen !== null) refuseOther(chosen, types, organization)
      if (types.length === 0) return { items: [], next_cursor: null }
      const cursors = cursorsOf('replays', { types, code: code ?? null, since: since ?? null })
      const after = timeAndId(cursors, cursor)
      const page =
        chosen === null
          ? await store.runs.list(scope, {
              types,
              states: ['completed', 'failed', 'waiting'],
              ...(organization !== null && { organizations: [organization] }),
              ...(since !== undefined && { startedFrom: since }),
              after: after && { startedAt: after.time, id: asId<RunId>(after.id) },
              limit,
            })
          : { items: [chosen], more: false }
      const release = await replays.take(ownerOf(caller.principal), whileOpen(reply))
      const until = clock.now() + patience
      const ends: ReplayEnd[] = []
      const done: Run[] = []
      try {
        for (const run of page.items) {
          if (done.length > 0 && (clock.now() > until || request.raw.socket.destroyed)) break
          done.push(run)
          if (run.undo === null) ends.push(await replayed(scope, text, run))
        }
      } finally {
        release()
      }
      const codes = await organizationCodesOf(
        store,
        scope,
        ends.map(({ run }) => run.organization),
      )
      const invalid = ends.flatMap((end) => ('error' in end && isMistake(end.error) ? [end.error] : []))
      // All replays failed, so the mistakes are in the text itself and not in the sub-playbooks of one organization.
      if (invalid[0] && invalid.length === ends.length) throw invalid[0]
      const items = ends.map((end) => replayView(end, codes))
      const more = page.more || done.length < page.items.length
      return { items, next_cursor: nextCursor({ items: done, more }, cursors, ({ startedAt, id }) => [startedAt, id]) }
    },
  )
}

/** @throws TocsinError `run_undoes`; `body_invalid` if no alert type of the text is the run's, or it is a run of another organization */
function refuseOther({ id, undo, type, organization: own }: Run, types: readonly string[], organization: OrganizationId | null): void {
  if (undo) throw new TocsinError('run_undoes', `The run ${id} undoes ${undo.run}.`)
  const refuse = (message: string): never => {
    throw new TocsinError('body_invalid', `The run ${id} ${message}.`, [{ field: 'run_id', message }])
  }
  if (!types.includes(type)) refuse(`is for an alert of the type ${type}, and the text is for ${types.length === 0 ? 'no type' : types.join(', ')}`)
  if (organization !== null && organization !== own) refuse('is of another organization')
}

/** @throws TocsinError `body_invalid` if the request also has another alert, or names another organization than that of its alert */
function refuseBoth({ alertId, organization: own }: Alert, given: unknown, named: OrganizationId | null): void {
  const refuse = (field: string, message: string): never => {
    throw new TocsinError('body_invalid', `The field ${field} ${message}.`, [{ field, message }])
  }
  if (given !== undefined) refuse('alert', 'is not allowed together with alert_id')
  if (named !== null && named !== own) refuse('organization_code', `is not the organization of the alert ${alertId}`)
}

/** Returns whether the text, or a sub-playbook that it runs, has mistakes. */
function isMistake({ code }: TocsinError): boolean {
  return ['playbook_invalid', 'yaml_invalid', 'yaml_too_large'].includes(code)
}

/** @throws TocsinError `body_invalid` if there is no alert */
function alertGiven(given: Static<typeof DryRunRequest>['alert'], code: string | undefined): DryRunOf['alert'] {
  if (given === undefined) throw new TocsinError('body_invalid', 'Give `alert_id` or `alert`.', [{ field: 'alert_id', message: 'is missing' }])
  const { alert_content: content, alert_type: type, alert_name: name, alert_provider: provider, created_at: createdAt } = given
  return {
    content,
    ...(type !== undefined && { type }),
    ...(name !== undefined && { name }),
    ...(provider !== undefined && { provider }),
    ...(createdAt !== undefined && { createdAt }),
    ...(code !== undefined && { organizationCode: code }),
  }
}
