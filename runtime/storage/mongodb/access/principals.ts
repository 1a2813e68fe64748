import type { Filter } from 'mongodb'
import { type ApiKey, inScope, type OrganizationId, type Principal, type PrincipalId, type Scope } from '../../../domain/index.ts'
import type { PrincipalStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { pageOf } from '../database/index.ts'
import type { KeyDocument, PrincipalDocument } from './principal-documents.ts'

function toPrincipal({ _id, createdBy = null, ...principal }: PrincipalDocument): Principal {
  return { id: _id, ...principal, createdBy }
}

function toKey({ _id, expiresAt = null, lastUsedAt = null, ...key }: KeyDocument): ApiKey {
  return { id: _id, ...key, expiresAt, lastUsedAt }
}

/** A scope sees a principal if it covers all of the principal's organizations. */
function sees(scope: Scope, { organizations }: Pick<Principal, 'organizations'>): boolean {
  if (scope.organizations === 'all') return true
  const own = scope.organizations
  return organizations !== 'all' && organizations.every((id) => own.includes(id))
}

/** Returns the same condition as a filter on the field `organizations` below `path`. */
function seen(scope: Scope, path: string): Record<string, unknown> {
  if (scope.organizations === 'all') return {}
  return { [`${path}organizations`]: { $ne: 'all', $not: { $elemMatch: { $nin: [...scope.organizations] } } } }
}

/** The `PrincipalStore` of the port on MongoDB. */
export function principalStore({ principals, keys }: Collections): PrincipalStore {
  const visible = async (scope: Scope, id: PrincipalId): Promise<Principal | null> => {
    const found = await principals.findOne({ _id: id })
    return found && sees(scope, found) ? toPrincipal(found) : null
  }

  /** Adds the principal of each key as `of`. */
  const withPrincipal = [
    { $lookup: { from: principals.collectionName, localField: 'principal', foreignField: '_id', as: 'of' } },
    { $unwind: '$of' },
  ] as const

  return {
    async create(scope, principal) {
      mustReach(sees(scope, principal), 'principal')
      const { id, ...rest } = principal
      try {
        await principals.insertOne({ _id: id, ...rest })
      } catch (error) {
        // The principal exists already and stays as it is.
        if (!isDuplicate(error)) throw error
      }
    },
    async byId(scope, ids) {
      const found = await principals.find({ $and: [{ _id: { $in: [...ids] } }, seen(scope, '') as Filter<PrincipalDocument>] }).toArray()
      return found.map(toPrincipal)
    },
    async addKey(scope, { id, ...key }) {
      mustReach((await visible(scope, key.principal)) !== null, 'principal')
      try {
        await keys.insertOne({ _id: id, ...key })
        return 'added'
      } catch (error) {
        if (isDuplicate(error)) return 'exists'
        throw error
      }
    },
    async keyByHash(scope, hash) {
      const found = await keys
        .aggregate<KeyDocument & { readonly of: PrincipalDocument }>([{ $match: { hash, revokedAt: null } }, { $limit: 1 }, ...withPrincipal])
        .next()
      if (!found || !sees(scope, found.of)) return null
      const { of, ...key } = found
      return { key: toKey(key), principal: toPrincipal(of) }
    },
    async keyById(scope, id) {
      const found = await keys.findOne({ _id: id })
      const principal = found && (await visible(scope, found.principal))
      return principal ? { key: toKey(found), principal } : null
    },
    async mostKeys(scope, organizations, at) {
      const none = { organization: null, keys: 0 }
      if (organizations === 'all' && scope.organizations !== 'all') return none
      const wanted = organizations === 'all' ? 'all' : { $in: organizations.filter((id) => inScope(scope, id)) }
      const most = await keys
        .aggregate<{ readonly _id: OrganizationId | 'all'; readonly keys: number }>([
          { $match: { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] } },
          ...withPrincipal,
          { $match: { 'of.organizations': wanted } },
          { $unwind: '$of.organizations' },
          { $match: { 'of.organizations': wanted } },
          { $group: { _id: '$of.organizations', keys: { $sum: 1 } } },
          { $sort: { keys: -1, _id: 1 } },
          { $limit: 1 },
        ])
        .next()
      return most ? { organization: most._id === 'all' ? null : most._id, keys: most.keys } : none
    },
    async listKeys(scope, { after, limit }) {
      // Key ids increase with time, so this is also the order of creation.
      const found = await keys
        .aggregate<KeyDocument & { readonly of: PrincipalDocument }>([
          { $match: after === null ? {} : { _id: { $lt: after } } },
          { $sort: { _id: -1 } },
          ...withPrincipal,
          { $match: seen(scope, 'of.') },
          { $limit: limit + 1 },
        ])
        .toArray()
      const items = found.map(({ of, ...key }) => ({ key: toKey(key), principal: toPrincipal(of) }))
      return pageOf(items, limit)
    },
    async revokeKey(scope, id, at) {
      const found = await keys.findOne({ _id: id })
      if (!found || !(await visible(scope, found.principal))) return null
      await keys.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: at } })
      const standing = await keys.findOne({ _id: id })
      return standing && toKey(standing)
    },
    async noteKeyUse(scope, id, at) {
      const found = await keys.findOne({ _id: id })
      if (!found || !(await visible(scope, found.principal))) return
      await keys.updateOne({ _id: id }, { $max: { lastUsedAt: at } })
    },
  }
}
