import type { Json } from '../../domain/index.ts'
import { defaultMeaning, type Meaning } from '../../plugin/index.ts'

/**
 * What the error codes of a token endpoint mean (RFC 6749, 5.2), unless the manifest's rows say
 * otherwise.
 */
const refusals: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  invalid_client: [
    'The external system does not accept the client id with this client secret.',
    'Compare the client id with the one in the external system. Save a client secret that is valid there: the old one may have been rotated.',
  ],
  invalid_client_id: ['The external system does not know the client id.', 'Copy the client id from the external system again.'],
  invalid_grant: [
    'The external system does not let this client sign in with its own credentials, or not at this address.',
    'Enable the client-credentials flow for the client in the external system, with the user that it acts as. Check the address of the connection.',
  ],
  unauthorized_client: [
    'The client may not sign in with its own credentials.',
    'Enable the client-credentials flow for the client in the external system.',
  ],
  unsupported_grant_type: [
    'The token endpoint does not know the client-credentials flow.',
    'Check the address of the connection, and whether the external system offers this flow.',
  ],
  invalid_scope: ['The client does not have the requested scopes.', 'Grant the scopes to the client in the external system.'],
  access_denied: ['The external system denied access to the client.', 'Permit the client, and the user that it acts as, to use the API.'],
}

const general: readonly [cause: string, remedy: string] = [
  'The token endpoint refused to give an access token.',
  "Compare the connection's client id, client secret and address with those in the external system.",
]

/**
 * Returns the meaning of a token endpoint's error. Its effect is never unknown, because the skill's
 * own request was not sent.
 */
export function refusalMeaning(status: number, error: Json | undefined): Meaning {
  if (error === 'server_error' || error === 'temporarily_unavailable') return defaultMeaning(503)
  const known = typeof error === 'string' && Object.hasOwn(refusals, error) ? refusals[error] : undefined
  if (!known && (status >= 500 || status === 429 || (status >= 300 && status < 400))) return defaultMeaning(status)
  const [cause, remedy] = known ?? general
  return { code: 'token_refused', cause, remedy, effect: 'none' }
}
