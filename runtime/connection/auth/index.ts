import type { AuthDocument } from '../../plugin/index.ts'
import { headerScheme } from './header.ts'
import { jwsHs256Scheme } from './jws-hs256.ts'
import type { AuthScheme } from './scheme.ts'

export type { AuthScheme, SecretReader, Unsigned } from './scheme.ts'

export function authScheme(auth: AuthDocument): AuthScheme {
  switch (auth.scheme) {
    case 'header':
      return headerScheme(auth)
    case 'jws_hs256':
      return jwsHs256Scheme(auth)
  }
}
