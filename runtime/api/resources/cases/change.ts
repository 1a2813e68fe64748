import { type Case, type CaseChange, caseStatuses, dispositions, severities } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { sendJson } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { oneOf } from '../../schemas.ts'
import type { CaseViews } from './details.ts'
import { caseOf, entryOf, id, noQuery, record } from './found.ts'
import { OpenDecisions, settleDecisions } from './open-decisions.ts'
import { personNamed } from './person.ts'

const ChangeSchema = Type.Object(
  {
    severity: Type.Optional(oneOf(severities)),
    status: Type.Optional(oneOf(caseStatuses)),
    disposition: Type.Optional(oneOf(dispositions)),
    assignee: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        format: 'line',
        maxLength: 200,
        description: 'The name of a person, or `me` for the principal of the key. `nobody` or null: nobody.',
      }),
    ),
    open_decisions: OpenDecisions('of a case that you close'),
  },
  { additionalProperties: false, minProperties: 1 },
)
type Asked = Omit<Static<typeof ChangeSchema>, 'open_decisions'>

export function caseChangeRoute(app: Api, context: ApiContext, views: CaseViews): void {
  const { store, turns } = context.services
  app.patch(
    '/platformapi/cases/:id',
    operation(
      context,
      {
        id: 'changeCase',
        tag: 'cases',
        summary: 'Change severity, status, disposition or assignee',
        description:
          'Fields that you leave out do not change. Each change adds a line to the timeline. To close a case with open decisions, say what happens to them in `open_decisions`.',
        permission: 'cases:write',
        errors: ['case_unknown', 'case_merged', 'case_has_open_decisions', 'decision_not_yours'],
      },
      { params: id, body: ChangeSchema, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      let found = await caseOf(store, caller.scope, request.params.id)
      const { open_decisions: then, ...asked } = request.body
      const { assignee } = asked
      const change = realChange(found, { ...asked, ...(assignee && { assignee: personNamed(assignee, caller.principal) }) })
      if (change !== null) {
        mustNotBeMerged(found, change)
        if (change.status === 'closed')
          await settleDecisions(context, caller, {
            found,
            open: () => views.openDecisions(caller.scope, found),
            then,
            reason: `${found.caseId} was closed.`,
          })
        found = await record(context, caller, found.uuid, entryOf(context, caller, { kind: 'change', change }), change)
        tellAct(context, request, 'a case was changed', { case: found.caseId, change: { ...change } })
      }
      return sendJson(reply, await views.details(caller.scope, found), turns, found.organization)
    },
  )
}

/** Returns the fields that would change the case, or null if there are none. */
function realChange(found: Case, asked: Asked): CaseChange | null {
  const change = Object.fromEntries(Object.entries(asked).filter(([field, value]) => found[field as keyof Asked] !== value))
  return Object.keys(change).length === 0 ? null : change
}

function mustNotBeMerged({ caseId, desk: { into } }: Case, { status }: CaseChange): void {
  if (into === null || status === undefined) return
  throw new TocsinError('case_merged', `${caseId} was merged into ${into.caseId}, so it stays closed.`)
}
