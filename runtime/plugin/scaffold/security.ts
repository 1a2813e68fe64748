import { isObject, type Json } from '../../domain/index.ts'
import type { AuthDocument, CredentialField } from '../grammar/index.ts'
import { type JsonObject, listAt, type OpenApi, type Operation, objectAt, textAt } from './document.ts'

/** How requests are authenticated. */
export interface Security {
  readonly auth: AuthDocument
  readonly credentials: readonly CredentialField[]
  /** Origins besides that of the API. */
  readonly origins: readonly string[]
  /** What the author must look at. */
  readonly notes: readonly string[]
}

type Field = 'api_key' | 'token' | 'client_secret' | 'password'
const secret = (name: Field, label: string): CredentialField => ({ name, label, type: 'string', secret: true, required: true })
const plain = (name: string, label: string): CredentialField => ({ name, label, type: 'string', required: true })

/** Returns how the operations are authenticated: by the first scheme that Tocsin supports. @param origin of the API, if the document names one */
export function securityOf(document: OpenApi, operations: readonly Operation[], origin: string | null): Security {
  const known = objectAt(objectAt(document.root, 'components'), 'securitySchemes')
  const asked = [...operations.flatMap(({ body }) => listAt(body, 'security')), ...listAt(document.root, 'security')]
  const names = [...new Set([...asked.flatMap((one) => (isObject(one) ? Object.keys(one) : [])), ...Object.keys(known)])]
  const scopes = new Map(asked.flatMap((one) => (isObject(one) ? Object.keys(one).map((name) => [name, listAt(one, name)] as const) : [])))
  const refused: string[] = []
  for (const name of names) {
    const scheme = document.resolve(known[name])
    const found = fromScheme(scheme, origin, scopes.get(name)?.map(String) ?? [])
    if (found) return { ...found, notes: [...found.notes, ...together(name, asked)] }
    refused.push(`${name} (${[textAt(scheme, 'type') ?? 'unknown', textAt(scheme, 'in')].filter(Boolean).join(' in ')})`)
  }
  const why =
    refused.length > 0 ? `Tocsin has none of these schemes: ${refused.join(', ')}.` : 'The document does not say how requests are authenticated.'
  return { ...bearer(), notes: [`${why} manifest.yaml has a bearer token in their place: correct \`auth\`.`] }
}

/** Returns a note if a scheme is only asked for together with others. A plugin has one scheme. */
function together(name: string, asked: readonly Json[]): readonly string[] {
  const sets = asked.flatMap((one) => (isObject(one) && Object.hasOwn(one, name) ? [Object.keys(one)] : []))
  const [first] = sets
  if (!first || sets.some(({ length }) => length === 1)) return []
  return [`Requests need ${first.join(' and ')} together. manifest.yaml has ${name} only.`]
}

function fromScheme(scheme: JsonObject, origin: string | null, scopes: readonly string[]): Security | null {
  const type = textAt(scheme, 'type')
  const way = textAt(scheme, 'scheme')?.toLowerCase()
  const name = textAt(scheme, 'name')
  if (type === 'http' && way === 'bearer') return bearer()
  if (type === 'http' && way === 'basic')
    return of({ scheme: 'basic', username: { credential: 'username' }, password: { credential: 'password' } }, [
      plain('username', 'User name'),
      secret('password', 'Password'),
    ])
  if (type === 'apiKey' && scheme['in'] === 'header' && name !== null && /^[A-Za-z0-9-]+$/.test(name))
    return of({ scheme: 'header', header: name.toLowerCase(), value: { credential: 'api_key' } }, [secret('api_key', 'API key')])
  const tokenUrl = type === 'oauth2' ? textAt(objectAt(objectAt(scheme, 'flows'), 'clientCredentials'), 'tokenUrl') : null
  return tokenUrl === null ? null : clientCredentials(tokenUrl, origin, scopes)
}

function clientCredentials(tokenUrl: string, origin: string | null, scopes: readonly string[]): Security | null {
  const url = URL.parse(tokenUrl, origin ?? undefined)
  if (url?.protocol !== 'https:') return null
  const own = origin !== null && url.origin === origin
  const auth: AuthDocument = {
    scheme: 'oauth2_client_credentials',
    token_url: `${own ? '{{ credentials.base_url }}' : url.origin}${url.pathname}${url.search}`,
    client_id: { credential: 'client_id' },
    client_secret: { credential: 'client_secret' },
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    expired: { '==': [{ var: 'status' }, 401] },
  }
  return { ...of(auth, [plain('client_id', 'Client ID'), secret('client_secret', 'Client secret')]), origins: own ? [] : [url.origin] }
}

function bearer(): Security {
  return of({ scheme: 'bearer', token: { credential: 'token' } }, [secret('token', 'Token')])
}

function of(auth: AuthDocument, credentials: readonly CredentialField[]): Security {
  return { auth, credentials, origins: [], notes: [] }
}
