import Type from 'typebox'
import type { Json } from '../../domain/index.ts'
import { closed, condition, duration, errorRow, formsBy, name, template, text, words } from './shared.ts'

/** A credential field, by name; its value never leaves the host. */
const credential = closed({ credential: name })

/** A value of a signed request that the host fills in: a literal, a credential, or the time of sending. */
const claim = Type.Unsafe<string | number | boolean | { readonly credential: string } | { readonly now: 'yyyy-MM-dd HH:mm:ss.SSS' }>({
  type: ['string', 'number', 'boolean', 'object'],
  properties: { credential: name, now: { type: 'string', const: 'yyyy-MM-dd HH:mm:ss.SSS', description: 'UTC' } },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
})
export type ClaimDocument = Type.Static<typeof claim>

/** How requests are authenticated: a host-side scheme and the fields it takes. A new scheme is one more form here and its code in the connection room. */
export const auth = formsBy('scheme', {
  header: closed({
    scheme: Type.Literal('header'),
    header: Type.String({ pattern: '^[A-Za-z0-9-]+$', 'x-fault': 'must be the name of a header' }),
    value: credential,
    prefix: Type.Optional(Type.String({ description: 'Put before the value, for example `Bearer `.' })),
  }),
  bearer: closed({ scheme: Type.Literal('bearer'), token: credential }, 'The credential as `Authorization: Bearer`.'),
  basic: closed({ scheme: Type.Literal('basic'), username: credential, password: credential }, 'HTTP Basic; the user name may be a plain field.'),
  jws_hs256: closed({
    scheme: Type.Literal('jws_hs256'),
    key: closed({ credential: name }, 'A base64 credential; its bytes sign and verify with HMAC SHA-256.'),
    header: Type.Record(text, claim, { description: 'Members of the JWS header besides `alg`.' }),
    envelope: Type.Optional(
      closed(
        { body: text, with: Type.Optional(Type.Record(text, Type.Record(text, claim))) },
        'What is signed: the objects of `with`, then the body of the request under the name `body`. Without it the body itself.',
      ),
    ),
    open: Type.Optional(Type.String({ minLength: 1, description: 'The member that holds the answer, where an answer has it.' })),
    same: Type.Optional(
      Type.Array(name, { minItems: 1, description: "Members of `header` that an answer's header must have with the same value, where it has them." }),
    ),
    unsigned: Type.Optional(
      words(
        ['accept', 'refuse'],
        'What becomes of an answer that is plain JSON without a signature; refuse if absent. accept: an error is believed; that a write was done is not, so it is in doubt; what a read answers is passed on with a warning.',
      ),
    ),
  }),
  oauth2_client_credentials: closed({
    scheme: Type.Literal('oauth2_client_credentials'),
    token_url: Type.Unsafe<string>({ ...template, minLength: 1, description: "Of plain credentials; must be of one of the connection's origins." }),
    client_id: credential,
    client_secret: closed({ credential: name }, 'A secret field.'),
    scope: Type.Optional(text),
    style: Type.Optional(words(['form', 'basic'], 'Where the client id and secret go: into the form (if absent), or into HTTP Basic.')),
    expires_default: Type.Optional(
      Type.String({ ...duration, description: 'Where the token answer does not say; absent: the token is used until an answer is `expired`.' }),
    ),
    expired: Type.Unsafe<Json>({
      ...condition,
      description: 'Over status, headers and body: which answers say that the access token is no longer good.',
    }),
    errors: Type.Optional(Type.Array(errorRow, { description: "The token endpoint's: the first match wins." })),
  }),
})
export type AuthDocument = Type.Static<typeof auth>

/** Keys under which a scheme has rules about answers. */
const conditions = ['expired', 'errors']

/** The credential fields that a scheme names, and where. */
export function credentialsOfAuth(document: AuthDocument): { readonly path: readonly string[]; readonly credential: string }[] {
  const found: { path: readonly string[]; credential: string }[] = []
  const walk = (value: unknown, path: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      if (key === 'credential' && typeof part === 'string') found.push({ path: [...path, key], credential: part })
      else walk(part, [...path, key])
    }
  }
  for (const [key, part] of Object.entries(document)) if (!conditions.includes(key)) walk(part, ['auth', key])
  return found
}
