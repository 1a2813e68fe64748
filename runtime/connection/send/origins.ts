import { type Connection, cutText } from '../../domain/index.ts'
import { httpsOrigin } from '../../formats/index.ts'
import { originFields, type Plugin } from '../../plugin/index.ts'

/**
 * Returns the connection's own origins, from its plain credential fields. @throws TocsinError
 * `template_failed`, TypeError
 */
export function ownOrigins({ manifest }: Plugin, connection: Connection): string[] {
  return manifest.origins.map((origin) => new URL(String(origin.render({ credentials: connection.fields }))).origin)
}

export type Derived =
  | { readonly ok: true; readonly origins: readonly string[] }
  | { readonly ok: false; readonly message: string; readonly remedy: string }

/**
 * Returns the origins that the token answer names, as far as the manifest's `derived_origins`
 * allow. Empty if it names none.
 * @param members the members of the token answer
 * @param own the connection's own origins
 * @param clean removes secrets from what a message shows of the token answer
 */
export function derivedOrigins(
  plugin: Plugin,
  members: Readonly<Record<string, string>>,
  own: readonly string[],
  clean: (text: string) => string,
): Derived {
  const origins: string[] = []
  const rules = plugin.manifest.document.derived_origins ?? []
  for (const name of new Set(rules.map(memberOf))) {
    const address = Object.hasOwn(members, name) ? members[name] : undefined
    if (address === undefined) continue
    const patterns = rules.filter((rule) => memberOf(rule) === name).map(({ allow }) => allow)
    const url = httpsOrigin(address)
    if (!url || !(isOwn(url, own) || patterns.some((pattern) => fits(url, pattern)))) return refused(plugin, name, clean(address), own, patterns)
    origins.push(url.origin)
  }
  return { ok: true, origins }
}

function memberOf({ from }: { readonly from: string }): string {
  return from.slice('token.'.length)
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Returns whether the URL has the host of one of the connection's own origins; the port may differ.
 * All loopback names count as one host.
 */
function isOwn({ hostname }: URL, own: readonly string[]): boolean {
  const names = own.map((origin) => new URL(origin).hostname)
  return names.includes(hostname) || (loopback.includes(hostname) && names.some((name) => loopback.includes(name)))
}

/**
 * Returns whether a URL matches a pattern. `*.` matches one or more labels of a host name. A pattern cannot name a port, so only the default
 * port is allowed.
 */
function fits({ hostname, port }: URL, pattern: string): boolean {
  if (port !== '') return false
  return pattern.startsWith('*.') ? hostname.length > pattern.length - 1 && hostname.endsWith(pattern.slice(1)) : hostname === pattern
}

function refused(plugin: Plugin, name: string, address: string, own: readonly string[], patterns: readonly string[]): Derived {
  const shown = cutText(address, 200)
  const decisive = originFields(plugin)
  const labels = plugin.manifest.document.credentials.filter((field) => decisive.includes(field.name)).map(({ label }) => label)
  const fields = labels.length === 0 ? "the connection's address" : labels.join(' and ')
  return {
    ok: false,
    message: `The token answer names ${shown} as ${name}. Only these are allowed: ${[...new Set([...own, ...patterns])].join(', ')}.`,
    remedy: `If ${shown} is the system's address, set ${fields} of the connection to match it. Otherwise check that ${fields} leads to the right system.`,
  }
}
