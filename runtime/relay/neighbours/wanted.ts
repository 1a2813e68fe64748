import type { Silent, Wanted } from '../hub/identity.ts'
import { readTarget } from '../link/index.ts'

/** The most streams of one process to another. */
export const mostNeighbourStreams = 1024

/** Where another process wants a stream to. */
interface WantedStream {
  readonly to: Wanted
  readonly host: string
  readonly port: number
  readonly silent: Silent
}

/** Names the agent that a stream is for. */
export function moreOf({ organization, name, id }: Wanted, silent: Silent): Readonly<Record<string, unknown>> {
  return { to: { organization, name, id }, silent }
}

/** Reads for which agent a stream is, and where to. The sender is a process of this installation. Null: malformed. */
export function readWanted(text: string): WantedStream | null {
  const found = readTarget(text)
  const to = found?.fields['to']
  if (!found || typeof to !== 'object' || to === null) return null
  // One of an earlier version does not say it.
  const silent = found.fields['silent'] === 'never' ? 'never' : 'last'
  return { to: to as Wanted, host: found.host, port: found.port, silent }
}
