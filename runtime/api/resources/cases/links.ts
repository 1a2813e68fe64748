import { type Case, mostLinks, type TimelineBody } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { mustFit, mustHold } from './desk.ts'
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
      for (const [one, another] of [
        [mine, theirs],
        [theirs, mine],
      ] as const)
        mustFit(one, 'links', one.desk.links.length + (linked(one, another) ? 0 : 1))
      const body = linkBody('added', caller.principal.name, request.body.text ?? null)
      // Written again if it is there already: a crash may have written only one of the two.
      const other = await record(context, caller, theirs.uuid, entryOf(context, caller, body(mine)))
      mustHold(other, 'links', mostLinks, linked(other, mine))
      const next = await record(context, caller, mine.uuid, entryOf(context, caller, body(theirs)))
      if (!linked(next, theirs)) {
        const undone = linkBody('removed', caller.principal.name, null)
        await record(context, caller, theirs.uuid, entryOf(context, caller, undone(mine)))
      }
      mustHold(next, 'links', mostLinks, linked(next, theirs))
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
      if (linked(theirs, mine)) await record(context, caller, theirs.uuid, entryOf(context, caller, body(mine)))
      const next = linked(mine, theirs) ? await record(context, caller, mine.uuid, entryOf(context, caller, body(theirs))) : mine
      tellAct(context, request, 'the link of two cases was removed', { case: mine.caseId, other: theirs.caseId })
      return views.details(caller.scope, next)
    },
  )
}

function linked(one: Case, another: Case): boolean {
  return one.desk.links.some(({ uuid }) => uuid === another.uuid)
}

function linkBody(act: 'added' | 'removed', by: string, said: string | null) {
  return (to: Case): TimelineBody => ({ kind: 'link', act, other: otherOf(to), by, text: said })
}
