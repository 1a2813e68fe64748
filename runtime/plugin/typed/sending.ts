import type { Json } from '../../domain/index.ts'
import * as typing from '../../expressions/typing/index.ts'
import { bodyFault } from '../answer/body-text.ts'
import { saysJson } from '../answer/charset.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'
import { ownHeaders } from '../request/own-headers.ts'

type Request = NonNullable<SkillDocument['request']>
type Headers = Readonly<Record<string, string>>

/** Reports headers that only the host may set. A request with one of them is never sent. */
export function checkHeaders(headers: Headers | undefined, path: readonly (string | number)[], places: FaultPlaces): void {
  for (const name of Object.keys(headers ?? {}))
    if (ownHeaders.has(name.toLowerCase()))
      places.add([...path, name], `\`${name}\` is a header that only the host may set; put credentials into \`auth\``, 'key')
}

/**
 * Reports a body that can never be sent with its content type, or would be sent as something other
 * than intended.
 */
export function checkBody({ body, headers }: Request, made: typing.Type, manifest: ManifestDocument, places: FaultPlaces): void {
  // This scheme always sends a signed text that contains the body as JSON.
  if (body === undefined || manifest.auth.scheme === 'jws_hs256') return
  const type = contentTypeOf(headers) ?? contentTypeOf(manifest.request?.headers) ?? 'application/json'
  if (type.includes('{{')) return
  const path = ['request', 'body']
  const fault = bodyFault(kindOf(body, made), type)
  if (fault !== null) places.add(path, fault)
  if (saysJson(type) && typeof body === 'string' && /^\s*(\[|\{(?!\{))/.test(body))
    places.add(path, 'The body is a text, which would be sent in quotes. Write its fields in YAML instead. They are sent as JSON.')
}

function kindOf(body: Json, made: typing.Type): 'text' | 'other' | 'unknown' {
  if (typeof body !== 'string') return 'other'
  return typing.fitOf(made, typing.text).fits === 'never' ? 'other' : 'unknown'
}

function contentTypeOf(headers: Headers | undefined): string | null {
  return Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? null
}
