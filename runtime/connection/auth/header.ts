import type { AuthDocument } from '../../plugin/index.ts'
import type { AuthScheme } from './scheme.ts'

/**
 * Sends the credential as the value of a header (specification 5: e-mail security, browser identity
 * security).
 */
export function headerScheme({ header, value, prefix }: Extract<AuthDocument, { scheme: 'header' }>): AuthScheme {
  return {
    grant: null,
    sign: (request, secret) => ({
      ...request,
      headers: { ...request.headers, [header.toLowerCase()]: `${prefix ?? ''}${secret(value.credential)}` },
    }),
    open: (answer) => answer,
  }
}
