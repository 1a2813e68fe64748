import type { Clock } from '../../domain/index.ts'
import { Growth, mostStreams, requestWindow, Tunnel, type Wire, writeRefused } from '../link/index.ts'
import { type RelayDeps, relayStream } from './relay-stream.ts'
import { Sockets } from './sockets.ts'

/** The most sockets of an agent: those of its streams, and those that close. */
const mostSockets = 2 * mostStreams

/** What the tunnels of an agent share. So whoever poses as Tocsin gets no more of the agent's memory with many tunnels than with one. */
export interface Share {
  readonly sockets: Sockets
  /** Of the windows of all streams. */
  readonly growth: Growth
}

/** Makes what all tunnels of an agent share: its sockets, and the growth of its windows. */
export function newShare(): Share {
  return { sockets: new Sockets(mostSockets), growth: new Growth(requestWindow.growth) }
}

/** Serves the streams of a tunnel until it ends. @param share that of the agent's other tunnels */
export function serveTunnel(
  wire: Wire,
  deps: Omit<RelayDeps, 'sockets'> & { readonly clock: Pick<Clock, 'after' | 'every'> },
  { sockets, growth }: Share = newShare(),
): Tunnel {
  const asked = (request: Parameters<typeof relayStream>[0]): void => relayStream(request, { ...deps, sockets })
  return new Tunnel(wire, { opens: false, most: mostStreams, asked, tooMany: writeRefused('agent_busy'), growth }, deps.clock)
}
