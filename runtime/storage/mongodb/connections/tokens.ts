import type { Filter } from 'mongodb'
import type { ConnectionRevision, KeptToken, Scope } from '../../../domain/index.ts'
import type { TokenStore } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'
import { withinOrShared } from '../database/index.ts'
import type { AccessDocument, ConnectionDocument } from './connection-documents.ts'

/** The document, and whether its lease and its refusal are still valid by the server's clock. */
interface Seen {
  readonly access?: AccessDocument
  readonly leased: boolean
  readonly refused: boolean
}

function toToken({ version, sealed, expiresAt }: AccessDocument): KeptToken | null {
  return version !== undefined && sealed ? { version, sealed, expiresAt: expiresAt ?? null } : null
}

function standing(scope: Scope, { id, revision }: ConnectionRevision): Filter<ConnectionDocument> {
  return { _id: id, revision, ...withinOrShared(scope) }
}

/** MongoDB sorts a missing date before every other date. */
const lasts = (field: string) => ({ $gt: [field, '$$NOW'] })
const over = (field: string) => ({ $not: [lasts(field)] })
const renewal = ['holder', 'leasedUntil', 'refusal', 'refusedUntil'].map((name) => `access.${name}`)

/** The `TokenStore` of the port on MongoDB. */
export function tokenStore({ connections }: Collections): TokenStore {
  return {
    async get(scope, connection) {
      const found = await connections.findOne(standing(scope, connection), { projection: { access: 1 } })
      return found?.access ? toToken(found.access) : null
    },
    async lease(scope, connection, { seen, holder, duration, anew }) {
      const free = [over('$access.leasedUntil'), ...(anew ? [] : [over('$access.refusedUntil')])]
      const { matchedCount } = await connections.updateOne(
        { ...standing(scope, connection), 'access.version': { $not: { $gt: seen } }, $expr: { $and: free } },
        // Only a pipeline has the server's time.
        [{ $unset: renewal }, { $set: { 'access.holder': { $literal: holder }, 'access.leasedUntil': { $add: ['$$NOW', { $literal: duration }] } } }],
      )
      if (matchedCount > 0) return { kind: 'taken' }
      const projection = { access: 1, leased: lasts('$access.leasedUntil'), refused: lasts('$access.refusedUntil') }
      const found = await connections.findOne<Seen>(standing(scope, connection), { projection })
      if (!found) return { kind: 'gone' }
      const token = found.access ? toToken(found.access) : null
      if (token && token.version > seen) return { kind: 'newer', token }
      if (!found.leased && found.refused && !anew && found.access?.refusal) return { kind: 'refused', refusal: found.access.refusal }
      // This is also the answer if the lease ended between the two steps. The caller asks again.
      return { kind: 'held' }
    },
    async put(scope, connection, holder, { sealed, expiresAt }) {
      const found = await connections.findOneAndUpdate(
        { ...standing(scope, connection), 'access.holder': holder },
        {
          $inc: { 'access.version': 1 },
          $set: { 'access.sealed': sealed, 'access.expiresAt': expiresAt },
          $unset: Object.fromEntries(renewal.map((path) => [path, ''])),
        },
        { returnDocument: 'after', projection: { access: 1 } },
      )
      return found?.access ? toToken(found.access) : null
    },
    async release(scope, connection, holder, refused) {
      const until = refused && { $add: ['$$NOW', { $literal: refused.duration }] }
      await connections.updateOne({ ...standing(scope, connection), 'access.holder': holder }, [
        { $unset: renewal },
        ...(refused ? [{ $set: { 'access.refusal': { $literal: refused.refusal }, 'access.refusedUntil': until } }] : []),
      ])
    },
  }
}
