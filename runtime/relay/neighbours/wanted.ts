import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import type { Wanted } from '../hub/identity.ts'

/** The most streams of one process to another. */
export const mostNeighbourStreams = 1024

/** Names the agent that a stream is for. */
export function writeWanted({ organization, name, id }: Wanted): OutgoingHttpHeaders {
  return { 'tocsin-to': Buffer.from(JSON.stringify({ organization, name, id })).toString('base64url') }
}

/** Reads for which agent a stream is, and where to. The sender is a process of this installation. Null: malformed. */
export function readWanted(headers: IncomingHttpHeaders): { readonly to: Wanted; readonly host: string; readonly port: number } | null {
  const authority = headers[':method'] === 'CONNECT' ? headers[':authority'] : undefined
  const found = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(authority ?? '')
  const named = headers['tocsin-to']
  if (!found || typeof named !== 'string') return null
  try {
    const { organization, name, id } = JSON.parse(Buffer.from(named, 'base64url').toString())
    return { to: { organization, name, id }, host: found[1] ?? '', port: Number(found[2]) }
  } catch {
    return null
  }
}
