import type { Session, SessionId } from '../../../domain/index.ts'
import type { SessionStore } from '../../port/index.ts'
import type { Collections } from '../database/index.ts'

/** For whoever looks at the database after a fault. Milliseconds. */
const keepDead = 24 * 60 * 60 * 1000

const lastSeenBefore = (silence: number) => ({ $expr: { $lte: ['$heartbeatAt', { $subtract: ['$$NOW', silence] }] } })

/** States of the sessions that are known. */
export async function sessionStates({ sessions }: Collections, ids: readonly SessionId[]): Promise<ReadonlyMap<SessionId, Session['state']>> {
  if (ids.length === 0) return new Map()
  const found = await sessions.find({ _id: { $in: [...new Set(ids)] } }, { projection: { state: 1 } }).toArray()
  return new Map(found.map(({ _id, state }) => [_id, state]))
}

export function sessionStore({ sessions }: Collections): SessionStore {
  return {
    async open(_scope, { id, host, pid }) {
      // Only `$$NOW` in a pipeline is the server's time. The condition makes a second opening of the same session a duplicate key.
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
      // An unknown session counts as closed, so ended sessions need not be kept for ever.
      await sessions.deleteMany({ state: { $ne: 'alive' }, ...lastSeenBefore(keepDead) })
      const { modifiedCount } = await sessions.updateMany({ state: 'alive', ...lastSeenBefore(silence) }, { $set: { state: 'dead' } })
      return modifiedCount
    },
  }
}
