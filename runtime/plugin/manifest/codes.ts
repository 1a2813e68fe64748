import { registry } from '../../errors/index.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import type { Plugin } from '../types.ts'
import type { FaultPlaces } from './fault-places.ts'

/** The error codes that any call of this integration may end with: the registry's and the manifest's own, of the token endpoint included. */
function codesOf({ errors = [], auth }: Pick<ManifestDocument, 'errors' | 'auth'>): readonly string[] {
  const ofTokens = auth.scheme === 'oauth2_client_credentials' ? (auth.errors ?? []) : []
  return [...new Set([...[...errors, ...ofTokens].map(({ code }) => code), ...Object.keys(registry)])]
}

/** The same of a whole plugin: what its handlers may end with, too. Of no plugin: the registry's. */
export function codesOfPlugin(plugin: Plugin | undefined): readonly string[] {
  if (!plugin) return Object.keys(registry)
  const own = [...plugin.skills.values()].flatMap(({ document }) => Object.keys(document.handler?.errors ?? {}))
  return [...new Set([...codesOf(plugin.manifest.document), ...own])]
}

/** A code that nothing is called would never be met, and what hangs on it never happen. */
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
