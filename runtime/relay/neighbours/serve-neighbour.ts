import { constants, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { type Duplex, pipeline } from 'node:stream'
import type { Clock } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import type { Traffic } from '../hub/agent-stream.ts'
import type { Wanted } from '../hub/identity.ts'
import { type Answered, TunnelLost } from '../hub/tunnel-client.ts'
import { beginServerSession, Heartbeat } from '../link/index.ts'
import { mostNeighbourStreams, readWanted } from './wanted.ts'

/** Has an agent of this process connect to a host. @throws RouteFailed, TunnelLost */
export type Carry = (to: Wanted, host: string, port: number) => Promise<{ readonly answered: Answered; readonly traffic: Traffic }>

/** The tunnel of another process to this one. */
export interface NeighbourLink {
  readonly gone: Promise<void>
  leave(): void
  cut(): void
}

/** Passes the streams of another process on to the agents of this one, byte by byte. */
export function serveNeighbour(socket: Duplex, carry: Carry, clock: Pick<Clock, 'every'>): NeighbourLink {
  const session = beginServerSession(socket, mostNeighbourStreams)
  const gone = Promise.withResolvers<void>()
  const cut = (): void => {
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    socket.destroy()
  }
  for (const event of ['error', 'close'] as const) session.on(event, cut)
  socket.on('error', cut)
  socket.on('close', () => {
    cut()
    gone.resolve()
  })
  session.on('stream', (stream, headers) => void passOn(stream, headers, carry))
  new Heartbeat(session, clock, cut)
  return { gone: gone.promise, leave: () => session.close(), cut }
}

async function passOn(near: ServerHttp2Stream, headers: IncomingHttpHeaders, carry: Carry): Promise<void> {
  near.on('error', () => {})
  const found = readWanted(headers)
  if (!found) return refuse(near, 'malformed')
  try {
    const { answered, traffic } = await carry(found.to, found.host, found.port)
    if (near.destroyed) answered.stream.close(constants.NGHTTP2_CANCEL)
    else join(near, answered, traffic)
  } catch (error) {
    if (error instanceof RouteFailed) refuse(near, errorOf(error))
    else if (error instanceof TunnelLost) refuse(near, 'agent_offline')
    else near.close(constants.NGHTTP2_INTERNAL_ERROR)
  }
}

function join(near: ServerHttp2Stream, { stream: far, headers }: Answered, traffic: Traffic): void {
  let whole = false
  far.once('trailers', () => {
    whole = true
  })
  const cut = (error: Error | null | undefined): void => {
    if (!error) return
    far.close(constants.NGHTTP2_CANCEL)
    near.close(constants.NGHTTP2_CANCEL)
  }
  const answer: OutgoingHttpHeaders = { ':status': 200, 'tocsin-clock': String(headers['tocsin-clock']) }
  near.respond(answer, { waitForTrailers: true })
  near.once('wantTrailers', () => (whole ? near.sendTrailers({ 'tocsin-end': 'ok' }) : near.close(constants.NGHTTP2_CANCEL)))
  near.on('data', (chunk: Buffer) => {
    traffic.sent += chunk.length
  })
  far.on('data', (chunk: Buffer) => {
    traffic.received += chunk.length
  })
  pipeline(near, far, cut)
  pipeline(far, near, cut)
}

function errorOf({ code, systemCode }: RouteFailed): string {
  if (code === 'agent_refused') return 'not_allowed'
  return code === 'network' ? (systemCode ?? 'failed') : code
}

function refuse(near: ServerHttp2Stream, code: string): void {
  if (near.destroyed || near.headersSent) return
  near.respond({ ':status': 502, 'tocsin-error': code }, { endStream: true })
  near.close(constants.NGHTTP2_NO_ERROR)
}
