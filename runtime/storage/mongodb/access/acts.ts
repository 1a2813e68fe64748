import type { Filter } from 'mongodb'
import { type Act, actsKeptFor } from '../../../domain/index.ts'
import { actTerms, wantedActTerms } from '../../act-terms.ts'
import type { ActStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import { type Collections, following, readPage } from '../database/index.ts'
import type { ActDocument } from './act-documents.ts'

/** The `ActStore` of the port on MongoDB. */
export function actStore({ acts }: Collections): ActStore {
  return {
    async add(scope, act) {
      mustReach(scope.organizations === 'all', 'audit log')
      const document = { at: act.at, terms: [...actTerms(act)], act: JSON.stringify(act), expiresAt: new Date(act.at + actsKeptFor) }
      try {
        await acts.insertOne({ _id: act.id, ...document })
      } catch (error) {
        // A repeated insert found its own document.
        if (!isDuplicate(error)) throw error
      }
    },
    async list(scope, { after, limit, from, before, ...filter }) {
      if (scope.organizations !== 'all') return { items: [], more: false }
      const terms = wantedActTerms(filter)
      const filters: Filter<ActDocument>[] = [
        { at: { $gte: from ?? 0, $lt: before ?? Number.MAX_SAFE_INTEGER } },
        ...terms.map((term) => ({ terms: term })),
        ...(after ? following<ActDocument>('at', after.at, after.id) : []),
      ]
      const cursor = acts.find(
        { $and: filters },
        { sort: { at: -1, _id: -1 }, limit: limit + 1, ...(terms.length > 0 && { hint: { terms: 1, at: 1, _id: 1 } }) },
      )
      const { items, more } = await readPage(cursor, limit)
      return { items: items.map(({ act }) => JSON.parse(act) as Act), more }
    },
  }
}
