import type { Wanted } from '../hub/identity.ts'
import { readTarget } from '../link/index.ts'

/** The most streams of one process to another. */
export const mostNeighbourStreams = 1024

/** Names the agent that a stream is for. */
export function moreOf({ organization, name, id }: Wanted): Readonly<Record<string, unknown>> {
  return { to: { organization, name, id } }
}

/** Reads for which agent a stream is, and where to. The sender is a process of this installation. Null: malformed. */
export function readWanted(text: string): { readonly to: Wanted; readonly host: string; readonly port: number } | null {
  const found = readTarget(text)
  const to = found?.fields['to']
  return found && typeof to === 'object' && to !== null ? { to: to as Wanted, host: found.host, port: found.port } : null
}
