import type { Clock } from '../../domain/index.ts'
import { mostStreams, Tunnel, type Wire, writeRefused } from '../link/index.ts'
import { type RelayDeps, relayStream } from './relay-stream.ts'

/** Serves the streams of a tunnel until it ends. */
export function serveTunnel(wire: Wire, deps: RelayDeps & { readonly clock: Pick<Clock, 'after' | 'every'> }): Tunnel {
  const asked = (request: Parameters<typeof relayStream>[0]): void => relayStream(request, deps)
  return new Tunnel(wire, { opens: false, most: mostStreams, asked, tooMany: writeRefused('agent_busy') }, deps.clock)
}
