import { MaxKey, MinKey } from 'mongodb'
import { inScope, type OrganizationId, type OrganizationPolicy } from '../../../domain/index.ts'
import type { PolicyStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { readPage, sortedInMemory, within } from '../database/index.ts'
import type { PolicyDocument } from './policy-documents.ts'

function toPolicy({ _id: _, policy, ...rest }: PolicyDocument): OrganizationPolicy {
  return { ...rest, policy: JSON.parse(policy) as OrganizationPolicy['policy'] }
}

/** The `PolicyStore` of the port on MongoDB. */
export function policyStore({ policies }: Collections): PolicyStore {
  const history = async (organization: OrganizationId, limit: number): Promise<OrganizationPolicy[]> => {
    const all = { $gte: { organization, revision: new MinKey() }, $lte: { organization, revision: new MaxKey() } }
    const found = policies
      .find({ _id: all as never })
      .sort({ _id: -1 })
      .limit(limit)
    return (await readPage(found, limit)).items.map(toPolicy)
  }

  return {
    async get(scope, organization) {
      return inScope(scope, organization) ? ((await history(organization, 1))[0] ?? null) : null
    },
    async revision(scope, organization, revision) {
      if (!inScope(scope, organization)) return null
      const found = await policies.findOne({ _id: { organization, revision } })
      return found && toPolicy(found)
    },
    async all(scope) {
      const stages = [
        { $match: within(scope) },
        { $sort: { _id: 1 } },
        { $group: { _id: '$organization', last: { $last: '$$ROOT' } } },
        { $sort: { _id: 1 } },
      ]
      const found = await sortedInMemory((allowDiskUse) => policies.aggregate<{ readonly last: PolicyDocument }>(stages, { allowDiskUse }).toArray())
      return found.map(({ last }) => toPolicy(last))
    },
    async set(scope, { policy, ...next }) {
      const { organization, revision } = next
      mustReach(inScope(scope, organization), 'policy')
      if (((await history(organization, 1))[0]?.revision ?? 0) !== revision - 1) return 'changed'
      try {
        await policies.insertOne({ _id: { organization, revision }, ...next, policy: JSON.stringify(policy) })
        return 'set'
      } catch (error) {
        if (isDuplicate(error)) return 'changed'
        throw error
      }
    },
    async history(scope, organization, limit) {
      return inScope(scope, organization) ? history(organization, limit) : []
    },
  }
}
