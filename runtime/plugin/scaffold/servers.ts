import type { Json } from '../../domain/index.ts'
import { type OpenApi, objectAt, textAt } from './document.ts'

/** Where a document says that its operations are. */
export interface Server {
  /** Null: it has no host with https, or one that only the connection can know. */
  readonly origin: string | null
  /** The path before that of each operation. Without a slash at its end; empty if there is none. */
  readonly path: string
  /** The variables in its host. Each has its default, which may be an example. */
  readonly varying: readonly string[]
}

const variable = /\{([^{}]+)\}/g

/** Reads a list of servers. Variables have their defaults. */
export function serversOf(document: OpenApi, list: readonly Json[]): readonly Server[] {
  return list.flatMap((one) => {
    const server = document.resolve(one)
    const variables = objectAt(server, 'variables')
    const usual = (name: string): string | null => textAt(objectAt(variables, name), 'default')
    const filled = (text: string): string => text.replace(variable, (_whole, name: string) => usual(name) ?? '')
    const [, host = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(textAt(server, 'url') ?? '') ?? []
    const below = URL.parse(filled(path), 'https://any.example/')
    if (below === null) return []
    const varying = [...host.matchAll(variable)].flatMap(([, name]) => name ?? [])
    const known = varying.every((name) => usual(name) !== null)
    const url = known ? URL.parse(filled(host)) : null
    return [{ origin: url?.protocol === 'https:' ? url.origin : null, path: below.pathname.replace(/\/+$/, ''), varying }]
  })
}

/** Returns the server of a plugin: the first one with https, or else the first one. */
export function chosenServer(servers: readonly Server[]): Server {
  return servers.find(({ origin }) => origin !== null) ?? servers[0] ?? { origin: null, path: '', varying: [] }
}

/** Returns the address of a server as people read it. */
export function addressOf({ origin, path }: Server): string {
  return `${origin ?? ''}${path}` || '/'
}

/** Returns what the author must look at in the address of a plugin. */
export function serverNotes(servers: readonly Server[]): readonly string[] {
  const chosen = chosenServer(servers)
  if (chosen.origin === null) return ['The document names no server with https. A connection must give its address.']
  const others = new Set(servers.map(addressOf)).size - 1
  const { varying } = chosen
  return [
    ...(others > 0 ? [`The document names ${others + 1} servers. manifest.yaml has ${addressOf(chosen)}.`] : []),
    ...(varying.length > 0
      ? [`The address has a part that differs (${varying.join(', ')}). Correct the default of \`base_url\`, or remove it.`]
      : []),
  ]
}
