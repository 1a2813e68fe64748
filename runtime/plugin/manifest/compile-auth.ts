import { compileCondition, compileText } from '../../expressions/index.ts'
import { parseDuration } from '../../formats/index.ts'
import { answerScope, rowScope } from '../answer/failures.ts'
import type { ErrorRowDocument, ManifestDocument } from '../grammar/index.ts'
import type { TokenPlan } from '../types.ts'
import type { ErrorRow } from './error-row.ts'
import type { FaultPlaces } from './fault-places.ts'

/** Compiles the rows of the manifest's `errors`, or of the token endpoint's. */
export function errorRowsOf(
  rows: readonly ErrorRowDocument[] | undefined,
  path: readonly (string | number)[],
  places: FaultPlaces,
): readonly ErrorRow[] {
  return (rows ?? []).flatMap(({ when: rule, code, cause, remedy, effect, lacks }, at) => {
    const when = places.attempt([...path, at, 'when'], () => compileCondition(rule))
    if (when) places.reads([...path, at, 'when'], when.reads, rowScope)
    return when ? [{ when, code, cause, remedy, effect, lacks }] : []
  })
}

/**
 * Compiles the token plan of the auth scheme. Null if the scheme uses no tokens, or if a part of it
 * does not compile.
 */
export function compileToken(document: ManifestDocument, plain: readonly string[], places: FaultPlaces): TokenPlan | null {
  const { auth, credentials, derived_origins: derived = [] } = document
  if (auth.scheme !== 'oauth2_client_credentials') {
    if (derived.length > 0) places.add(['derived_origins'], 'the auth scheme uses no access tokens, so no token answer can name an origin', 'key')
    return null
  }
  const secret = credentials.find(({ name }) => name === auth.client_secret.credential)
  if (secret && !secret.secret) places.add(['auth', 'client_secret', 'credential'], 'the client secret must be a field with `secret: true`')
  const url = places.attempt(['auth', 'token_url'], () => compileText(auth.token_url))
  if (url) places.reads(['auth', 'token_url'], url.reads, { credentials: plain })
  const expired = places.attempt(['auth', 'expired'], () => compileCondition(auth.expired))
  if (expired) places.reads(['auth', 'expired'], expired.reads, answerScope)
  const errors = errorRowsOf(auth.errors, ['auth', 'errors'], places)
  const lifetime = auth.expires_default === undefined ? null : parseDuration(auth.expires_default)
  return url && expired && { url, lifetime, expired, errors }
}
