import { constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../domain/index.ts'
import { beginServerSession, Heartbeat } from '../link/index.ts'
import { type RelayDeps, relayStream } from './relay-stream.ts'

/** An open tunnel, from the agent's side. */
export interface Tunnel {
  /** Resolves when the tunnel has ended, for whatever reason. */
  readonly ended: Promise<void>
  /** Resolves when the runtime asks the agent to open another tunnel, because this one will end soon. */
  readonly leaving: Promise<void>
  /** Accepts no more streams, and ends when those that are open have ended. */
  drain(): void
  end(): void
}

/** Serves the streams of a tunnel until it ends. */
export function serveTunnel(socket: Duplex, deps: RelayDeps & { readonly clock: Pick<Clock, 'after' | 'every'> }): Tunnel {
  const session = beginServerSession(socket)
  const ended = Promise.withResolvers<void>()
  const leaving = Promise.withResolvers<void>()
  session.on('stream', (stream, headers) => relayStream(stream, headers, deps))
  session.on('goaway', () => leaving.resolve())
  // Whatever is wrong with the tunnel, it ends, and the agent opens another one.
  const end = (): void => {
    // With a code, the streams end as cut and not as finished.
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    socket.destroy()
  }
  session.on('error', end)
  socket.on('error', end)
  socket.on('close', () => {
    end()
    ended.resolve()
  })
  session.on('close', end)
  new Heartbeat(session, deps.clock, end)
  return {
    ended: ended.promise,
    leaving: leaving.promise,
    drain: () => session.close(),
    end,
  }
}
