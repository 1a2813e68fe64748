import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { asId, type Clock, heartbeatEvery, type Ids, type SessionId, systemScope } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import type { Store } from '../../storage/index.ts'

/** This process's standing in the store: while it lasts, its runs are its own. */
export interface Sessions {
  /** The session to claim with; changes when one was lost. */
  readonly id: SessionId
  /** Aborted when the session of this moment is lost: whatever runs under it must stop. */
  readonly signal: AbortSignal
  close(): Promise<void>
}

export interface SessionListener {
  /** The store answered a heartbeat: what was given up for the store's sake may be taken up again. */
  readonly onAlive: () => void
}

/** Opens a session and keeps it alive; when the store has declared it dead, opens another. */
export async function openSessions(store: Store, clock: Clock, ids: Ids, logger: Logger, { onAlive }: SessionListener): Promise<Sessions> {
  let id = asId<SessionId>(ids.uuid())
  let lost = new AbortController()
  let beating = false
  const open = (): Promise<void> => store.sessions.open(systemScope, { id, host: hostname(), pid: process.pid })
  await open()

  const renew = async (): Promise<void> => {
    logger.warn({ session: id }, 'session lost; its runs are left to others')
    lost.abort(new Error('session lost'))
    lost = new AbortController()
    id = asId<SessionId>(ids.uuid())
    await open()
  }
  const beat = async (): Promise<void> => {
    if (beating) return
    beating = true
    try {
      if (!(await store.sessions.heartbeat(systemScope, id))) await renew()
      onAlive()
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'heartbeat failed')
    } finally {
      beating = false
    }
  }
  const stop = clock.every(heartbeatEvery, () => void beat())

  return {
    get id() {
      return id
    },
    get signal() {
      return lost.signal
    },
    async close() {
      stop()
      await store.sessions.close(systemScope, id)
    },
  }
}
