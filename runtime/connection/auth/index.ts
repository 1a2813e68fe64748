/**
 * How requests are authenticated: one file for each scheme that a manifest may name. Only schemes
 * see decrypted secrets.
 */
import type { Manifest } from '../../plugin/index.ts'
import { basicScheme, bearerScheme } from './authorization.ts'
import { headerScheme } from './header.ts'
import { jwsHs256Scheme } from './jws-hs256.ts'
import { oauth2ClientCredentialsScheme } from './oauth2-client-credentials.ts'
import type { AuthScheme } from './scheme.ts'

export type { AuthScheme, Granted, SecretReader, TokenGrant, Unsigned } from './scheme.ts'

export function authScheme({ document: { auth }, token }: Manifest): AuthScheme {
  switch (auth.scheme) {
    case 'header':
      return headerScheme(auth)
    case 'bearer':
      return bearerScheme(auth)
    case 'basic':
      return basicScheme(auth)
    case 'jws_hs256':
      return jwsHs256Scheme(auth)
    case 'oauth2_client_credentials':
      return oauth2ClientCredentialsScheme(auth, token)
  }
}
