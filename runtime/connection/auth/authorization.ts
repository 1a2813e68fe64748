import { TocsinError } from '../../errors/index.ts'
import type { AuthDocument } from '../../plugin/index.ts'
import type { AuthScheme, SecretReader } from './scheme.ts'

/** Sends the credential as `Authorization: Bearer` (RFC 6750, 2.1). */
export function bearerScheme({ token }: Extract<AuthDocument, { scheme: 'bearer' }>): AuthScheme {
  return authorized((secret) => `Bearer ${secret(token.credential)}`)
}

/** Sends user name and password as `Authorization: Basic`, in UTF-8 (RFC 7617). */
export function basicScheme({ username, password }: Extract<AuthDocument, { scheme: 'basic' }>): AuthScheme {
  return authorized((secret) => {
    const user = secret(username.credential)
    // The server takes everything after the first colon as the password, so it would check another user.
    if (user.includes(':')) throw new TocsinError('connection_invalid', `${username.credential} has a colon, which HTTP Basic does not allow.`)
    return `Basic ${Buffer.from(`${user}:${secret(password.credential)}`, 'utf8').toString('base64')}`
  })
}

function authorized(value: (secret: SecretReader) => string): AuthScheme {
  return {
    grant: null,
    sign: (request, secret) => ({ ...request, headers: { ...request.headers, authorization: value(secret) } }),
    open: (answer) => answer,
  }
}
