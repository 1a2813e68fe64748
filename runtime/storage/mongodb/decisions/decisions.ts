import type { Filter } from 'mongodb'
import { type Decision, deadlineOf, decisionStates, inScope, quotaSkill, type Scope } from '../../../domain/index.ts'
import type { DecisionQuery, DecisionStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { following, readPage, sortedInMemory, within } from '../database/index.ts'
import type { Audience } from '../webhooks/webhooks.ts'
import type { DecisionDocument } from './decision-documents.ts'

function documentOf(decision: Decision): DecisionDocument {
  const { id, organization, run, kind, state, askedAt, closedAt, revision } = decision
  const quota = quotaSkill(decision)
  return {
    _id: id,
    organization,
    run,
    kind,
    state,
    askedAt,
    deadline: deadlineOf(decision),
    ...(closedAt !== null && { closedAt }),
    revision,
    ...(quota !== null && { quota }),
    decision: JSON.stringify(decision),
  }
}

export function toDecision({ decision }: Pick<DecisionDocument, 'decision'>): Decision {
  return JSON.parse(decision)
}

const shown = { organization: 1, decision: 1 } as const

function selecting(
  scope: Scope,
  { organizations, kinds, runs, quotas }: Pick<DecisionQuery, 'organizations' | 'kinds' | 'runs' | 'quotas'>,
): Filter<DecisionDocument>[] {
  const filters: Filter<DecisionDocument>[] = [within(scope, organizations)]
  if (kinds) filters.push({ kind: { $in: [...kinds] } })
  if (runs) filters.push({ run: { $in: [...runs] } })
  if (quotas) filters.push({ quota: { $in: [...quotas] } })
  return filters
}

/** The `DecisionStore` of the port on MongoDB. */
export function decisionStore({ decisions, runs }: Collections, audience: Audience): DecisionStore {
  const get: DecisionStore['get'] = async (scope, id) => {
    const found = await decisions.findOne({ _id: id }, { projection: shown })
    return found && inScope(scope, found.organization) ? toDecision(found) : null
  }

  return {
    async open(scope, decision) {
      mustReach(inScope(scope, decision.organization), 'decision')
      try {
        const told = (await audience.isTold('decision.opened', decision.organization)) ? { openedTold: false as const } : {}
        await decisions.insertOne({ ...documentOf(decision), ...told })
        return decision
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return (await get(scope, decision.id)) ?? decision
      }
    },
    get,
    async byDeadline(scope, { after, limit, ...query }) {
      const filters: Filter<DecisionDocument>[] = [{ state: 'open' }, ...selecting(scope, query)]
      if (after) filters.push(...following<DecisionDocument>('deadline', after.deadline, after.id, '$gt'))
      const found = decisions.find({ $and: filters }, { projection: shown, sort: { deadline: 1, _id: 1 }, limit: limit + 1 })
      const page = await readPage(found, limit)
      return { ...page, items: page.items.map(toDecision) }
    },
    async list(scope, { states, after, limit, ...query }) {
      const filters = selecting(scope, query)
      // With a kind, MongoDB reads the index of kinds and states once for each state, in the order of the list.
      if (states || query.kinds) filters.push({ state: { $in: [...(states ?? decisionStates)] } })
      if (after) filters.push(...following<DecisionDocument>('askedAt', after.askedAt, after.id))
      const found = decisions.find({ $and: filters }, { projection: shown, sort: { askedAt: -1, _id: -1 }, limit: limit + 1 })
      const page = await readPage(found, limit)
      return { ...page, items: page.items.map(toDecision) }
    },
    async revise(scope, next) {
      const filter = { _id: next.id, revision: next.revision - 1, ...within(scope) }
      const closed = next.state !== 'open'
      const told = closed && (await audience.isTold('decision.closed', next.organization)) ? { closedTold: false as const } : {}
      const { _id: _, ...document } = documentOf(next)
      // Do not replace the document: `openedTold` must stay until webhooks were told that the decision was opened.
      const { modifiedCount } = await decisions.updateOne(filter, {
        $set: { ...document, ...(closed && { untold: true }), ...told },
        ...(!closed && { $unset: { untold: '', closedAt: '' } }),
      })
      return modifiedCount > 0 ? 'revised' : 'changed'
    },
    async untold(scope, limit) {
      const found = await sortedInMemory((allowDiskUse) =>
        decisions.find({ untold: true, ...within(scope) }, { projection: shown, sort: { _id: 1 }, limit, allowDiskUse }).toArray(),
      )
      return found.map(toDecision)
    },
    async told(scope, id) {
      await decisions.updateOne({ _id: id, ...within(scope) }, { $unset: { untold: '' } })
    },
    async waiting(scope, organization, skill) {
      return inScope(scope, organization) ? decisions.countDocuments({ state: 'open', organization, quota: skill }) : 0
    },
    async left(scope, limit) {
      const ended = [{ $match: { state: { $in: ['completed', 'failed'] } } }, { $project: { _id: 1 } }]
      const found = await decisions
        .aggregate<DecisionDocument>([
          { $match: { state: 'open', ...within(scope) } },
          { $lookup: { from: runs.collectionName, localField: 'run', foreignField: '_id', pipeline: ended, as: 'ended' } },
          { $match: { 'ended.0': { $exists: true } } },
          { $limit: limit },
          { $project: shown },
        ])
        .toArray()
      return found.map(toDecision)
    },
  }
}
