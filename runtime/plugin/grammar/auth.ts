import type { Json } from '../../domain/index.ts'
import { type Static, Type } from '../../schema/index.ts'
import { closed, condition, duration, errorRow, formsBy, name, template, text, words } from './shared.ts'

/** A credential field, by name. Its value never leaves the host. */
const credential = closed({ credential: name })

/** A value in a signed request that the host fills in: a literal, a credential, or the time of sending. */
const claim = Type.Unsafe<string | number | boolean | { readonly credential: string } | { readonly now: 'yyyy-MM-dd HH:mm:ss.SSS' }>({
  type: ['string', 'number', 'boolean', 'object'],
  properties: { credential: name, now: { type: 'string', const: 'yyyy-MM-dd HH:mm:ss.SSS', description: 'UTC' } },
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
})
export type ClaimDocument = Static<typeof claim>

/**
 * How requests are authenticated: a scheme in the host, and its settings. A new scheme needs one
 * more form here, and its code in `runtime/connection/auth/`.
 */
export const auth = formsBy('scheme', {
  header: closed({
    scheme: Type.Literal('header'),
    header: Type.String({ pattern: '^[A-Za-z0-9-]+$', 'x-fault': 'must be the name of a header' }),
    value: credential,
    prefix: Type.Optional(Type.String({ description: 'Precedes the value, for example `Bearer `.' })),
  }),
  bearer: closed({ scheme: Type.Literal('bearer'), token: credential }, 'Sends the credential as `Authorization: Bearer`.'),
  basic: closed({ scheme: Type.Literal('basic'), username: credential, password: credential }, 'HTTP Basic. The user name may be a plain field.'),
  jws_hs256: closed({
    scheme: Type.Literal('jws_hs256'),
    key: closed({ credential: name }, 'A base64 credential. Its bytes are the key for HMAC SHA-256.'),
    header: Type.Record(text, claim, { description: 'Members of the JWS header in addition to `alg`.' }),
    envelope: Type.Optional(
      closed(
        { body: text, with: Type.Optional(Type.Record(text, Type.Record(text, claim))) },
        'What is signed: an object with the members of `with`, and the body of the request under the name in `body`. If absent, the body itself.',
      ),
    ),
    open: Type.Optional(Type.String({ minLength: 1, description: 'The member of the payload that contains the answer, if it is there.' })),
    same: Type.Optional(
      Type.Array(name, { minItems: 1, description: "Members of `header` that must have the same value in an answer's header, if they are there." }),
    ),
    unsigned: Type.Optional(
      words(
        ['accept', 'refuse'],
        'How to treat an answer that is plain JSON without a signature. Default: refuse. accept: errors are believed; the answer to a read is passed on with a warning; a write that is reported as done stays in doubt.',
      ),
    ),
  }),
  oauth2_client_credentials: closed({
    scheme: Type.Literal('oauth2_client_credentials'),
    token_url: Type.Unsafe<string>({
      ...template,
      minLength: 1,
      description: "May read plain credential fields. Must be at one of the connection's origins.",
    }),
    client_id: credential,
    client_secret: closed({ credential: name }, 'A secret field.'),
    scope: Type.Optional(text),
    style: Type.Optional(words(['form', 'basic'], 'How the client id and secret are sent: in the form (default), or with HTTP Basic.')),
    expires_default: Type.Optional(
      Type.String({ ...duration, description: 'How long to use a token if its answer does not say. If absent: until an answer matches `expired`.' }),
    ),
    expired: Type.Unsafe<Json>({
      ...condition,
      description: 'A condition over status, headers and body of an answer: does it say that the access token has expired?',
    }),
    errors: Type.Optional(Type.Array(errorRow, { description: 'Error rows of the token endpoint. The first match wins.' })),
  }),
})
export type AuthDocument = Static<typeof auth>

/** Keys of a scheme that contain rules about answers, not credentials. */
const conditions = ['expired', 'errors']

/** Returns the credential fields that a scheme names, and where. */
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
