import type { Clock } from '../../domain/index.ts'
import { mostStreams, Tunnel, type Wire, writeRefused } from '../link/index.ts'
import { type RelayDeps, relayStream } from './relay-stream.ts'
import { Sockets } from './sockets.ts'

/** The most sockets of a tunnel: those of its streams, and as many that close. */
const mostSockets = 2 * mostStreams

/** Serves the streams of a tunnel until it ends. */
export function serveTunnel(wire: Wire, deps: Omit<RelayDeps, 'sockets'> & { readonly clock: Pick<Clock, 'after' | 'every'> }): Tunnel {
  const sockets = new Sockets(mostSockets)
  const asked = (request: Parameters<typeof relayStream>[0]): void => relayStream(request, { ...deps, sockets })
  return new Tunnel(wire, { opens: false, most: mostStreams, asked, tooMany: writeRefused('agent_busy') }, deps.clock)
}
