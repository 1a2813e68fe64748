import type { Document } from 'mongodb'
import { largestQuota, longestQuota, type Millis, type QuotaUse, reaches } from '../../../domain/index.ts'
import type { QuotaCall, QuotaCounted, QuotaStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import type { QuotaDocument } from './quota-documents.ts'

const within = (per: Millis): Document => ({ $gt: ['$$this.at', { $subtract: ['$$NOW', { $literal: per }] }] })
const filtered = (input: unknown, cond: Document): Document => ({ $filter: { input, as: 'this', cond } })

/**
 * Returns the pipeline that counts a call. Only a pipeline has the server's time, and only a pipeline can
 * decide by the document's contents.
 */
function counting({ key, quota, anyway }: QuotaCall): Document[] {
  const own = { $literal: key }
  const counted = { $or: [{ $literal: anyway }, { $in: [own, '$span.key'] }, { $lt: [{ $size: '$span' }, { $literal: quota.calls }] }] }
  const added = { $concatArrays: [filtered('$calls', { $ne: ['$$this.key', own] }), [{ key: own, at: '$$NOW' }]] }
  return [
    { $set: { calls: filtered({ $ifNull: ['$calls', []] }, within(longestQuota)) } },
    { $set: { span: filtered('$calls', within(quota.per)) } },
    { $set: { answer: { counted, calls: { $size: '$span' }, since: { $min: '$span.at' } } } },
    {
      $set: {
        calls: { $cond: ['$answer.counted', { $slice: [added, -largestQuota] }, '$calls'] },
        lapsesAt: { $cond: ['$answer.counted', { $add: ['$$NOW', { $literal: longestQuota }] }, { $ifNull: ['$lapsesAt', '$$NOW'] }] },
      },
    },
    { $unset: 'span' },
  ]
}

/** The `QuotaStore` of the port on MongoDB. */
export function quotaStore({ quotaCalls }: Collections): QuotaStore {
  const count = async (call: QuotaCall): Promise<QuotaCounted> => {
    const { organization, skill } = call
    const options = { upsert: true, returnDocument: 'after', projection: { answer: 1 } } as const
    const found = await quotaCalls.findOneAndUpdate({ _id: { organization, skill } }, counting(call), options)
    if (!found) throw new Error('The upsert of a quota returned no document.')
    const { counted, calls, since } = found.answer
    return { counted, calls, since: since?.getTime() ?? null }
  }

  return {
    async count(scope, call) {
      mustReach(reaches(scope, call.organization), 'quota')
      try {
        return await count(call)
      } catch (error) {
        // Another call created the document for this skill first. Now it exists.
        if (!isDuplicate(error)) throw error
        return count(call)
      }
    },
    async usage(scope, organization, spans) {
      if (!reaches(scope, organization) || spans.length === 0) return spans.map(() => ({ calls: 0, since: null }))
      const used = await Promise.all(
        spans.map(async ({ skill, per }): Promise<QuotaUse> => {
          const projection = { span: filtered('$calls', within(per)) }
          const found = await quotaCalls.findOne<{ readonly span: QuotaDocument['calls'] }>({ _id: { organization, skill } }, { projection })
          const times = (found?.span ?? []).map(({ at }) => at.getTime())
          return { calls: times.length, since: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)) }
        }),
      )
      return used
    },
  }
}
