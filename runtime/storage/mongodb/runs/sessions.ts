import type { Session, SessionId } from '../../../domain/index.ts'
import type { SessionStore } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'

/** How long dead sessions are kept, for people who examine the database after a fault. Milliseconds. */
const keepDead = 24 * 60 * 60 * 1000

const lastSeenBefore = (silence: number) => ({ $expr: { $lte: ['$heartbeatAt', { $subtract: ['$$NOW', silence] }] } })

/** Returns the states of these sessions. Unknown sessions are missing from the map. */
export async function sessionStates({ sessions }: Collections, ids: readonly SessionId[]): Promise<ReadonlyMap<SessionId, Session['state']>> {
  if (ids.length === 0) return new Map()
  const found = await sessions.find({ _id: { $in: [...new Set(ids)] } }, { projection: { state: 1 } }).toArray()
  return new Map(found.map(({ _id, state }) => [_id, state]))
}

/** The `SessionStore` of the port on MongoDB. */
export function sessionStore({ sessions }: Collections): SessionStore {
  return {
    async open(_scope, { id, host, pid }) {
      // Only a pipeline has the server's time (`$$NOW`). If the session exists, the condition makes the
      // upsert fail with a duplicate key.
      await sessions.updateOne(
        { _id: id, state: { $exists: false } },
        [{ $set: { host: { $literal: host }, pid: { $literal: pid }, state: 'alive', startedAt: '$$NOW', heartbeatAt: '$$NOW' } }],
        { upsert: true },
      )
    },
    async heartbeat(_scope, id) {
      const { matchedCount } = await sessions.updateOne({ _id: id, state: 'alive' }, [{ $set: { heartbeatAt: '$$NOW' } }])
      return matchedCount > 0
    },
    async close(_scope, id) {
      await sessions.updateOne({ _id: id }, { $set: { state: 'closed' } })
    },
    async bury(_scope, silence) {
      // An unknown session counts as closed, so ended sessions do not have to be kept for ever.
      await sessions.deleteMany({ state: { $ne: 'alive' }, ...lastSeenBefore(keepDead) })
      const { modifiedCount } = await sessions.updateMany({ state: 'alive', ...lastSeenBefore(silence) }, { $set: { state: 'dead' } })
      return modifiedCount
    },
  }
}
