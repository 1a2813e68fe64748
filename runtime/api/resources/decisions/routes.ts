import {
  asId,
  type Decision,
  type DecisionId,
  type DecisionState,
  deadlineOf,
  decisionKinds,
  decisionStates,
  type Json,
  type RunId,
  verdicts,
} from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { type Caller, callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters, timeAndId } from '../../request/index.ts'
import { oneOf, pageOf } from '../../schemas.ts'
import { organizationIdsOf } from '../shared/index.ts'
import { DecisionSchema, decisionViews } from './view.ts'

const id = Type.Object({ id: Type.String({ maxLength: 256 }) })
const repeated = { maxItems: 50, description: 'May be repeated.' }

const ListQuery = Type.Object({
  organization: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description: 'Organization code; may be repeated.' })),
  state: Type.Optional(Type.Array(oneOf(decisionStates), repeated)),
  kind: Type.Optional(Type.Array(oneOf(decisionKinds), repeated)),
  run: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), repeated)),
  quota: Type.Optional(
    Type.Array(Type.String({ maxLength: 256 }), {
      ...repeated,
      description: 'Only decisions that wait for the quota of this skill; may be repeated.',
    }),
  ),
  sort: Type.Optional(
    oneOf(
      ['newest', 'deadline'],
      'deadline: the decision that expires first is first; those that never expire are last. Only open decisions. Default: newest.',
    ),
  ),
  ...pageParameters,
})

const AnswerBody = Type.Object(
  {
    verdict: oneOf(verdicts, 'For an approval or a quota: approve or decline. For a write in doubt: happened, repeat or give_up.'),
    reason: Type.Optional(Type.String({ format: 'text', minLength: 1, maxLength: 2_000, description: 'Shown in the case.' })),
    output: Type.Optional(Type.Unsafe<Json>({ description: 'For the verdict happened: the output of the write. Absent: an empty object.' })),
  },
  { additionalProperties: false },
)

/** Adds `/platformapi/decisions`: list, read and answer them. */
export function decisionRoutes(app: Api, context: ApiContext): void {
  const { store, decisions, clock } = context.services
  app.addSchema(DecisionSchema)
  const views = (caller: Caller, found: readonly Decision[]) => decisionViews(context.services, caller, clock.now(), found)
  const oneView = async (caller: Caller, decision: Decision): Promise<Static<typeof DecisionSchema>> => {
    const [view] = await views(caller, [decision])
    return view as Static<typeof DecisionSchema>
  }

  app.get(
    '/platformapi/decisions',
    operation(
      context,
      {
        id: 'listDecisions',
        tag: 'decisions',
        summary: 'List decisions, newest first or by deadline',
        description: 'Use `state=open` for the decisions that runs wait for, and `sort=deadline` for the most urgent first.',
        permission: 'decisions:read',
        errors: ['cursor_invalid', 'organization_unknown'],
      },
      { querystring: ListQuery, response: { 200: pageOf('Decision') } },
    ),
    async (request) => {
      const { cursor, limit, ...filters } = request.query
      const caller = callerOf(request)
      const { scope } = caller
      const cursors = cursorsOf('decisions', filters)
      const after = timeAndId(cursors, cursor)
      const organizations = filters.organization && (await organizationIdsOf(store, scope, filters.organization, 'organization'))
      const selected = {
        ...(organizations && { organizations }),
        ...(filters.kind && { kinds: filters.kind }),
        ...(filters.quota && { quotas: filters.quota }),
        ...(filters.run && { runs: filters.run.map((run) => asId<RunId>(run)) }),
        limit,
      }
      if (filters.sort === 'deadline') {
        onlyOpen(filters.state)
        const from = after && { deadline: after.time, id: asId<DecisionId>(after.id) }
        const page = await store.decisions.byDeadline(scope, { ...selected, after: from })
        const next = nextCursor(page, cursors, (decision) => [deadlineOf(decision), decision.id])
        return { items: await views(caller, page.items), next_cursor: next }
      }
      const from = after && { askedAt: after.time, id: asId<DecisionId>(after.id) }
      const page = await store.decisions.list(scope, { ...selected, ...(filters.state && { states: filters.state }), after: from })
      return { items: await views(caller, page.items), next_cursor: nextCursor(page, cursors, ({ askedAt, id }) => [askedAt, id]) }
    },
  )

  app.get(
    '/platformapi/decisions/:id',
    operation(
      context,
      { id: 'getDecision', tag: 'decisions', summary: 'Read a decision', permission: 'decisions:read', errors: ['decision_unknown'] },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('Decision#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const found = await store.decisions.get(caller.scope, asId<DecisionId>(request.params.id))
      if (!found) throw new TocsinError('decision_unknown', 'No decision that this key may see has this id.')
      return oneView(caller, found)
    },
  )

  app.post(
    '/platformapi/decisions/:id',
    operation(
      context,
      {
        id: 'answerDecision',
        tag: 'decisions',
        summary: 'Answer a decision',
        description:
          'Answers as the principal of the key. A principal can answer a decision once. If a decision needs several approvers, two keys one of which made the other count as one person. If the answer closes the decision, the run continues at once.',
        permission: 'decisions:answer',
        errors: [
          'decision_unknown',
          'decision_closed',
          'decision_expired',
          'decision_not_yours',
          'decision_answered',
          'decision_one_person',
          'decision_key_newer',
          'decision_key_chain',
          'decision_verdict_invalid',
        ],
        passesOn: true,
      },
      { params: id, body: AnswerBody, querystring: Type.Object({}), response: { 200: Type.Ref('Decision#') } },
    ),
    async (request) => {
      const { verdict, reason, output } = request.body
      if (output !== undefined && verdict !== 'happened') {
        throw new TocsinError('body_invalid', 'Only the verdict happened takes an output.', [{ field: 'output', message: `not with ${verdict}` }])
      }
      const given = { verdict, reason: reason ?? null, output: output ?? null }
      const caller = callerOf(request)
      const answered = await decisions.answer(caller.principal, asId<DecisionId>(request.params.id), given)
      const { id: decision, kind, state, run, caseId } = answered
      tellAct(context, request, 'a decision was answered', { decision, kind, verdict, state, run, case: caseId })
      return oneView(caller, answered)
    },
  )
}

/** @throws TocsinError `query_invalid` if states other than open are asked for */
function onlyOpen(states: readonly DecisionState[] | undefined): void {
  if (states === undefined || states.every((state) => state === 'open')) return
  throw new TocsinError('query_invalid', 'Only open decisions are sorted by deadline.', [{ field: 'state', message: 'only open with sort=deadline' }])
}
