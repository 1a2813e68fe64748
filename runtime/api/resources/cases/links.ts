import type { Case, TimelineBody } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { mustFit } from './desk.ts'
import type { CaseViews } from './details.ts'
import { entryOf, id, noQuery, record } from './found.ts'
import { bothOf, other, otherOf, text } from './two-cases.ts'

const LinkSchema = Type.Object({ case: other, text }, { additionalProperties: false })
const linkPath = Type.Object({ id: id.properties.id, other })

/** Links between cases. */
export function linkRoutes(app: Api, context: ApiContext, views: CaseViews): void {
  const { store } = context.services

  app.post(
    '/platformapi/cases/:id/links',
    operation(
      context,
      {
        id: 'linkCase',
        tag: 'cases',
        summary: 'Link two cases of an organization',
        description: 'Each of the two shows the link.',
        permission: 'cases:write',
        errors: ['case_unknown', 'case_other_needed', 'case_full'],
      },
      { params: id, body: LinkSchema, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const [mine, theirs] = await bothOf(store, caller.scope, request.params.id, request.body.case)
      for (const { caseId, desk } of [mine, theirs]) mustFit({ caseId } as Case, 'links', desk.links.length + 1)
      const body = linkBody('added', caller.principal.name, request.body.text ?? null)
      // Written again if it is there already: a crash may have written only one of the two.
      await record(context, caller, theirs.uuid, entryOf(context, caller, body(mine)))
      const next = await record(context, caller, mine.uuid, entryOf(context, caller, body(theirs)))
      tellAct(context, request, 'two cases were linked', { case: mine.caseId, other: theirs.caseId })
      return views.details(caller.scope, next)
    },
  )

  app.delete(
    '/platformapi/cases/:id/links/:other',
    operation(
      context,
      {
        id: 'unlinkCase',
        tag: 'cases',
        summary: 'Remove the link between two cases',
        permission: 'cases:write',
        errors: ['case_unknown', 'case_other_needed'],
      },
      { params: linkPath, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const [mine, theirs] = await bothOf(store, caller.scope, request.params.id, request.params.other)
      const body = linkBody('removed', caller.principal.name, null)
      const linked = (one: Case, another: Case): boolean => one.desk.links.some(({ uuid }) => uuid === another.uuid)
      if (linked(theirs, mine)) await record(context, caller, theirs.uuid, entryOf(context, caller, body(mine)))
      const next = linked(mine, theirs) ? await record(context, caller, mine.uuid, entryOf(context, caller, body(theirs))) : mine
      tellAct(context, request, 'the link of two cases was removed', { case: mine.caseId, other: theirs.caseId })
      return views.details(caller.scope, next)
    },
  )
}

function linkBody(act: 'added' | 'removed', by: string, said: string | null) {
  return (to: Case): TimelineBody => ({ kind: 'link', act, other: otherOf(to), by, text: said })
}
