import type { Case } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { type Caller, callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { mustFit } from './desk.ts'
import type { CaseViews } from './details.ts'
import { caseOf, entryOf, id, noQuery, record } from './found.ts'
import { OpenDecisions, settleDecisions } from './open-decisions.ts'
import { bothOf, other, otherOf, text } from './two-cases.ts'

const MergeSchema = Type.Object(
  { into: other, text, open_decisions: OpenDecisions('of a case that you merge into a closed case') },
  { additionalProperties: false },
)

/** Merges of one case into another. */
export function mergeRoutes(app: Api, context: ApiContext, views: CaseViews): void {
  const { store } = context.services

  app.post(
    '/platformapi/cases/:id/merge',
    operation(
      context,
      {
        id: 'mergeCase',
        tag: 'cases',
        summary: 'Merge a case into another case of its organization',
        description:
          'The case is closed and points to the other one, which shows its alerts, its open decisions and what needs attention. Nothing is moved, so runs may still write to the merged case, and the merge can be taken back. A case that has merged cases cannot be merged. To merge a case with open decisions into a closed case, say what happens to them in `open_decisions`.',
        permission: 'cases:write',
        errors: ['case_unknown', 'case_other_needed', 'case_merged', 'case_full', 'case_has_open_decisions', 'decision_not_yours'],
      },
      { params: id, body: MergeSchema, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const [mine, theirs] = await bothOf(store, caller.scope, request.params.id, request.body.into)
      if (mine.desk.into?.uuid === theirs.uuid) return views.details(caller.scope, mine)
      mustBeFree(mine, theirs)
      await mustHoldNone(context, caller, mine)
      mustFit(theirs, 'merged cases', theirs.desk.merged.length + 1)
      // An open case that takes another one in shows its open decisions. A closed one would hide them.
      if (theirs.status === 'closed') {
        const open = () => views.openDecisions(caller.scope, mine)
        const reason = `${mine.caseId} was merged into ${theirs.caseId}, which is closed.`
        await settleDecisions(context, caller, { found: mine, open, then: request.body.open_decisions, reason })
      }
      const about = { kind: 'merge', by: caller.principal.name, text: request.body.text ?? null } as const
      const write = (to: Case, act: 'absorbed' | 'into' | 'released', from: Case): Promise<Case> =>
        record(context, caller, to.uuid, entryOf(context, caller, { ...about, act, other: otherOf(from) }))
      // The target first: once it has a merged case, it cannot be merged itself. So of two opposite merges at
      // the same moment, neither makes a circle.
      const absorbing = await write(theirs, 'absorbed', mine)
      if (absorbing.desk.into) {
        await write(theirs, 'released', mine)
        throw new TocsinError('case_merged', `${theirs.caseId} was merged into ${absorbing.desk.into.caseId} at this moment.`)
      }
      const merged = await write(mine, 'into', theirs)
      if (merged.desk.into?.uuid !== theirs.uuid) {
        await write(theirs, 'released', mine)
        throw new TocsinError('case_merged', `${mine.caseId} was merged with another case at this moment.`)
      }
      tellAct(context, request, 'a case was merged into another', { case: mine.caseId, into: theirs.caseId })
      return views.details(caller.scope, merged)
    },
  )

  app.delete(
    '/platformapi/cases/:id/merge',
    operation(
      context,
      {
        id: 'unmergeCase',
        tag: 'cases',
        summary: 'Take the merge of a case back',
        description: 'The case gets the status that it would have without the merge.',
        permission: 'cases:write',
        errors: ['case_unknown', 'case_not_merged'],
      },
      { params: id, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const mine = await caseOf(store, caller.scope, request.params.id)
      const { into } = mine.desk
      if (!into) throw new TocsinError('case_not_merged', `${mine.caseId} is not merged into another case.`)
      const about = { kind: 'merge', by: caller.principal.name, text: null } as const
      const next = await record(context, caller, mine.uuid, entryOf(context, caller, { ...about, act: 'taken_back', other: otherOf(into) }))
      await record(context, caller, into.uuid, entryOf(context, caller, { ...about, act: 'released', other: otherOf(mine) }))
      tellAct(context, request, 'the merge of a case was taken back', { case: mine.caseId, into: into.caseId })
      return views.details(caller.scope, next)
    },
  )
}

/**
 * Neither of the two cases may be merged into another one.
 * @throws TocsinError `case_merged`
 */
function mustBeFree(mine: Case, theirs: Case): void {
  if (mine.desk.into) throw new TocsinError('case_merged', `${mine.caseId} is merged into ${mine.desk.into.caseId} already.`)
  if (theirs.desk.into) throw new TocsinError('case_merged', `${theirs.caseId} is merged into ${theirs.desk.into.caseId}. Merge into that case.`)
}

/** After this time, in milliseconds, a merge that is not complete was stopped by a crash: a merge writes both cases within one request. */
const mergeTakes = 60_000

/**
 * The case may not have merged cases. One whose merge was stopped by a crash was never merged: it is released.
 * @throws TocsinError `case_merged`
 */
async function mustHoldNone(context: ApiContext, caller: Caller, mine: Case): Promise<void> {
  const { store, clock } = context.services
  for (const { uuid, caseId, at } of mine.desk.merged) {
    const held = await store.cases.get(caller.scope, uuid)
    if (held?.desk.into?.uuid === mine.uuid || clock.now() - at < mergeTakes)
      throw new TocsinError('case_merged', `${caseId} is merged into ${mine.caseId}. Take that merge back first, or merge the other way round.`)
    const released = { kind: 'merge', act: 'released', other: { uuid, caseId }, by: caller.principal.name, text: null } as const
    await record(context, caller, mine.uuid, entryOf(context, caller, released))
  }
}
