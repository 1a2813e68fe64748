import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Clock, Millis } from '../../domain/index.ts'
import { TimedBytes } from '../link/index.ts'
import type { AllowList } from './allow-list.ts'
import { connectTo, NotAllowed, readTarget, type Target } from './target.ts'

const connectTime: Millis = 10_000
/** A stream over which nothing goes for so long has been forgotten. */
const longestSilence: Millis = 15 * 60_000

export interface RelayDeps {
  readonly allow: AllowList
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds since the machine started, including the time that it slept. */
  readonly uptime: () => Millis
  /** Logs where the agent connects, and what came of it. */
  readonly told: (target: Target, outcome: string) => void
}

/** Serves one stream of the tunnel: connects to its target, and passes on bytes in both directions. */
export function relayStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, deps: RelayDeps): void {
  stream.on('error', () => {})
  const target = headers[':method'] === 'CONNECT' ? readTarget(headers[':authority']) : null
  if (!target) return refuse(stream, 400, 'malformed')
  let socket: Socket
  try {
    socket = connectTo(target, deps.allow)
  } catch (error) {
    const code = codeOf(error)
    deps.told(target, code === 'not_allowed' ? 'not on the allow-list' : code)
    return refuse(stream, code === 'not_allowed' ? 403 : 502, code)
  }
  const late = deps.clock.after(connectTime, () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
  const failed = (error: Error): void => {
    late()
    const code = codeOf(error)
    deps.told(target, code)
    refuse(stream, code === 'not_allowed' ? 403 : 502, code)
  }
  socket.once('error', failed)
  // The runtime may give up while the agent still connects.
  stream.once('close', () => socket.destroy())
  socket.once('connect', () => {
    late()
    socket.off('error', failed)
    if (stream.destroyed) return void socket.destroy()
    deps.told(target, 'connected')
    join(stream, socket, deps.uptime)
  })
}

function join(stream: ServerHttp2Stream, socket: Socket, uptime: () => Millis): void {
  socket.setTimeout(longestSilence, () => socket.destroy())
  // Resetting drops what the kernel has not sent yet: a stream that the runtime gave up sends nothing more.
  const cut = (error: Error | null | undefined): void => {
    if (!error) return
    socket.resetAndDestroy()
    stream.close(constants.NGHTTP2_CANCEL)
  }
  stream.respond({ ':status': 200, 'tocsin-clock': String(Math.floor(uptime())) }, { waitForTrailers: true })
  // Trailers say that the system itself has ended the connection.
  stream.once('wantTrailers', () => stream.sendTrailers({ 'tocsin-end': 'ok' }))
  pipeline(stream, new TimedBytes(uptime), socket, cut)
  pipeline(socket, stream, cut)
}

function refuse(stream: ServerHttp2Stream, status: number, code: string): void {
  if (stream.destroyed || stream.headersSent) return
  stream.respond({ ':status': status, 'tocsin-error': code }, { endStream: true })
  // The rest of the stream is of no use.
  stream.close(constants.NGHTTP2_NO_ERROR)
}

function codeOf(error: unknown): string {
  if (error instanceof NotAllowed) return 'not_allowed'
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'failed'
}
