import { registry } from '../../errors/index.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import type { Plugin } from '../types.ts'
import type { FaultPlaces } from './fault-places.ts'

/**
 * Returns the error codes that calls of this integration may fail with: the registry's, and the
 * manifest's own, including those of the token endpoint.
 */
function codesOf({ errors = [], auth }: Pick<ManifestDocument, 'errors' | 'auth'>): readonly string[] {
  const ofTokens = auth.scheme === 'oauth2_client_credentials' ? (auth.errors ?? []) : []
  return [...new Set([...[...errors, ...ofTokens].map(({ code }) => code), ...Object.keys(registry)])]
}

/** Like `codesOf`, for a whole plugin with its handlers. Without a plugin: the registry's codes. */
export function codesOfPlugin(plugin: Plugin | undefined): readonly string[] {
  if (!plugin) return Object.keys(registry)
  const own = [...plugin.skills.values()].flatMap(({ document }) => Object.keys(document.handler?.errors ?? {}))
  return [...new Set([...codesOf(plugin.manifest.document), ...own])]
}

/** Reports codes that do not exist. A rule for such a code would never apply. */
export function checkManifestCodes(document: ManifestDocument, places: FaultPlaces): void {
  const known = codesOf(document)
  check(document.retry?.on, ['retry', 'on'], known, places)
  check(document.test.accept, ['test', 'accept'], known, places)
}

export function checkSkillCodes({ idempotent }: SkillDocument, manifest: ManifestDocument, places: FaultPlaces): void {
  check(idempotent?.already_done, ['idempotent', 'already_done'], codesOf(manifest), places)
}

function check(codes: readonly string[] | undefined, path: readonly string[], known: readonly string[], places: FaultPlaces): void {
  for (const [at, code] of (codes ?? []).entries()) if (!known.includes(code)) places.unknown([...path, at], 'error code', code, known)
}
