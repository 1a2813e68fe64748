import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { asId, type Clock, heartbeatEvery, type Ids, type SessionId, systemScope } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { storeFailures } from '../../telemetry/index.ts'

/** This process's session in the store. While it lasts, its runs belong to this process. */
export interface Sessions {
  /** The session to claim with. It changes when a session was lost. */
  readonly id: SessionId
  /** Aborted when the current session is lost: its runs must stop. */
  readonly signal: AbortSignal
  close(): Promise<void>
}

export interface SessionListener {
  /** Called when the store answered a heartbeat, so that abandoned work can be tried again. */
  readonly onAlive: () => void
}

/** Opens a session and keeps it alive. If the store has declared it dead, opens another. */
export async function openSessions(store: Store, clock: Clock, ids: Ids, logger: Logger, { onAlive }: SessionListener): Promise<Sessions> {
  let id = asId<SessionId>(ids.uuid())
  let lost = new AbortController()
  let beating = false
  const failures = storeFailures(logger, clock)
  const open = (): Promise<void> => store.sessions.open(systemScope, { id, host: hostname(), pid: process.pid })
  await open()

  const renew = async (): Promise<void> => {
    logger.warn({ session: id }, 'the store has declared this session dead; other workers may claim its runs')
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
      failures.answered()
      onAlive()
    } catch (error) {
      failures.warn(error, {}, 'could not send a heartbeat')
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
