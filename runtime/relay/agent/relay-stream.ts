import type { Socket } from 'node:net'
import type { Clock, Millis } from '../../domain/index.ts'
import { type Channel, type Request, readTarget, writeOpened, writeRefused } from '../link/index.ts'
import { Delivery } from './delivery.ts'
import type { Sockets } from './sockets.ts'
import { connectTo, NotAllowed, type Reach, type Target, validTarget } from './target.ts'

const connectTime: Millis = 10_000
/** A stream over which nothing goes for so long has been forgotten. */
const longestSilence: Millis = 15 * 60_000

export interface RelayDeps extends Reach {
  readonly clock: Pick<Clock, 'after'>
  /** Milliseconds since the machine started, including the time that it slept. */
  readonly uptime: () => Millis
  readonly sockets: Sockets
  /** Logs where the agent connects, and what came of it. */
  readonly told: (target: Target, outcome: string) => void
}

/** Serves one stream of the tunnel: connects to its target, and passes on bytes in both directions. */
export function relayStream(request: Request, deps: RelayDeps): void {
  const { channel } = request
  const target = validTarget(readTarget(request.text))
  if (!target) return request.refuse(writeRefused('malformed'))
  if (deps.sockets.full) return request.refuse(writeRefused('agent_busy'))
  let socket: Socket
  try {
    socket = connectTo(target, deps, { takes: () => channel.accepted, read: (bytes) => channel.send(bytes) })
  } catch (error) {
    return fail(request, target, error, deps)
  }
  deps.sockets.add(socket)
  const late = deps.clock.after(connectTime, () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
  const failed = (error: Error): void => {
    late()
    fail(request, target, error, deps)
  }
  socket.once('error', failed)
  // The runtime may give up while the agent still connects.
  channel.use({ data() {}, end() {}, room() {}, cut: () => void socket.destroy() })
  socket.once('close', late)
  socket.once('connect', () => {
    late()
    socket.off('error', failed)
    deps.told(target, 'connected')
    request.accept(writeOpened(Math.floor(deps.uptime())))
    join(channel, socket, deps.uptime)
  })
}

function fail(request: Request, target: Target, error: unknown, { told }: RelayDeps): void {
  const code = codeOf(error)
  told(target, code === 'not_allowed' ? 'not on the allow-list' : code)
  request.refuse(writeRefused(code))
}

function join(channel: Channel, socket: Socket, uptime: () => Millis): void {
  /** Whether the system itself has ended its direction. */
  let ended = false
  // Resetting drops what the kernel has not sent yet: a stream that was given up sends nothing more.
  const cut = (): void => {
    socket.resetAndDestroy()
    channel.reset()
  }
  const delivery = new Delivery(socket, uptime, { passed: (bytes) => channel.read(bytes), late: cut })
  channel.use({
    data: (bytes, until) => (socket.writable ? delivery.pass(bytes, until) : cut()),
    extend: (until) => delivery.extend(until),
    end: () => delivery.end(),
    room: () => void socket.resume(),
    cut: () => void socket.resetAndDestroy(),
  })
  socket.setTimeout(longestSilence, cut)
  socket.on('end', () => {
    ended = true
    channel.end()
  })
  socket.on('error', cut)
  socket.on('close', () => {
    if (!ended) cut()
  })
}

function codeOf(error: unknown): string {
  if (error instanceof NotAllowed) return 'not_allowed'
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'failed'
}
