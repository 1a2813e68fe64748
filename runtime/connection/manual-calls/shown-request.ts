import type { Connection, Json } from '../../domain/index.ts'
import { type AuthDocument, type Plugin, renderRequest, type Skill } from '../../plugin/index.ts'
import { unsignedRequest } from '../send/index.ts'
import type { ShownRequest } from '../types.ts'

/** Stands for the key of a call, which is new for each call. */
const callKey = 'new-for-each-call'

/**
 * Renders the request of a call for people to look at. Reads no secret.
 * @returns null if the skill is code, because only the code knows its requests
 * @throws TocsinError `skill_input_invalid`, `connection_invalid`, `template_failed`; TypeError if the URL is invalid
 */
export function shownRequest(plugin: Plugin, skill: Skill, connection: Connection, input: Json): ShownRequest | null {
  if (skill.does.kind !== 'request') return null
  const request = renderRequest(skill.does.plan, { input, call: { key: callKey }, credentials: connection.fields })
  const { detected, unknown } = request.base === 'none' ? { detected: {}, unknown: [] } : detections(plugin, connection)
  const { method, url, headers } = unsignedRequest(plugin, connection, request, detected)
  const { auth, derived_origins: derived = [] } = plugin.manifest.document
  const { header, signing } = credentialsIn(auth)
  const shown = Object.entries(headers).filter(([name]) => name !== header)
  return {
    method,
    url: url.href,
    headers: [...shown.map(([name, value]) => ({ name, value })), ...(header === null ? [] : [{ name: header, value: null }])],
    ...(request.body !== undefined && { body: request.body }),
    signing,
    unknown: [...unknown, ...new Set(derived.map(({ from }) => from))],
  }
}

/** Returns the detected values that the connection fixes, and the names of those that Tocsin has to ask the system for. */
function detections({ manifest }: Plugin, { fields }: Connection): { detected: Record<string, string>; unknown: string[] } {
  const detected: Record<string, string> = {}
  const unknown: string[] = []
  for (const { name, pinned } of manifest.detect) {
    const fixed = pinned === null ? undefined : fields[pinned]
    if (fixed === undefined || fixed === '') unknown.push(`detected.${name}`)
    detected[name] = fixed === undefined || fixed === '' ? `detected.${name}` : String(fixed)
  }
  return { detected, unknown }
}

/** Returns the header that carries the credentials, or says how else they change the request. */
function credentialsIn(auth: AuthDocument): { readonly header: string | null; readonly signing: string | null } {
  switch (auth.scheme) {
    case 'header':
      return { header: auth.header.toLowerCase(), signing: null }
    case 'bearer':
    case 'basic':
    case 'oauth2_client_credentials':
      return { header: 'authorization', signing: null }
    case 'jws_hs256':
      return { header: null, signing: "The body is sent as a JWS, signed with the connection's key (HMAC SHA-256)." }
  }
}
