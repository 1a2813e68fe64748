import type { Filter } from 'mongodb'
import { type Connection, reaches, type Scope } from '../../../domain/index.ts'
import type { ConnectionStore } from '../../port/index.ts'
import { mustReach, sees } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { readPage, within, withinOrShared } from '../database/index.ts'
import type { ConnectionDocument } from './connection-documents.ts'

function toConnection({ _id, access: _, ...connection }: ConnectionDocument): Connection {
  return { id: _id, ...connection }
}

/** Leaves out tokens, because no reader of connections needs them. */
const shown = { projection: { access: 0 } } as const

function changeable(scope: Scope): Filter<ConnectionDocument> {
  return scope.organizations === 'all' ? {} : { organization: { $in: [...scope.organizations] } }
}

/**
 * Returns which of the two unique keys is taken.
 * @throws the error if it is not about a duplicate key
 */
function takenBy(error: unknown): 'exists' | 'default_exists' {
  if (!isDuplicate(error)) throw error
  return Object.hasOwn(error['keyPattern'] ?? {}, 'isDefault') ? 'default_exists' : 'exists'
}

/** The `ConnectionStore` of the port on MongoDB. */
export function connectionStore({ connections }: Collections): ConnectionStore {
  return {
    async create(scope, { id, ...connection }) {
      mustReach(reaches(scope, connection.organization), 'connection')
      try {
        await connections.insertOne({ _id: id, ...connection })
        return 'created'
      } catch (error) {
        return takenBy(error)
      }
    },
    async byId(scope, ids) {
      return (await connections.find({ _id: { $in: [...ids] }, ...withinOrShared(scope) }, shown).toArray()).map(toConnection)
    },
    async forOrganization(scope, organization) {
      if (!sees(scope, organization)) return []
      const found = await connections
        .find({ organization: { $in: [null, organization] } }, shown)
        .sort({ _id: 1 })
        .toArray()
      return found.map(toConnection)
    },
    async list(scope, { organizations, integrations, after, limit }) {
      const found = connections
        .find(
          {
            ...(organizations ? within(scope, organizations) : withinOrShared(scope)),
            ...(integrations && { integration: { $in: [...integrations] } }),
            ...(after !== null && { _id: { $gt: after } }),
          },
          shown,
        )
        .sort({ _id: 1 })
        .limit(limit + 1)
      const page = await readPage(found, limit)
      return { ...page, items: page.items.map(toConnection) }
    },
    async revise(scope, { id, ...next }) {
      if (!reaches(scope, next.organization)) return 'changed'
      try {
        const { matchedCount } = await connections.replaceOne({ $and: [{ _id: id, revision: next.revision - 1 }, changeable(scope)] }, next)
        return matchedCount > 0 ? 'revised' : 'changed'
      } catch (error) {
        return takenBy(error)
      }
    },
    async noteTest(scope, { id, revision }, lastTest) {
      const { matchedCount } = await connections.updateOne({ $and: [{ _id: id, revision }, changeable(scope)] }, { $set: { lastTest } })
      return matchedCount > 0
    },
    async reseal(scope, { id, revision, secrets }) {
      const { matchedCount } = await connections.updateOne({ $and: [{ _id: id, revision }, changeable(scope)] }, { $set: { secrets } })
      return matchedCount > 0
    },
    async remove(scope, id) {
      const { deletedCount } = await connections.deleteOne({ $and: [{ _id: id }, changeable(scope)] })
      return deletedCount > 0
    },
  }
}
