import { registry } from '../errors/index.ts'
import type { ManifestDocument, SkillDocument } from './grammar/index.ts'
import type { Places } from './places.ts'

/** The error codes that a call of this integration may end with: the registry's and the manifest's own. */
export function codesOf({ errors }: Pick<ManifestDocument, 'errors'>): readonly string[] {
  return [...new Set([...(errors ?? []).map(({ code }) => code), ...Object.keys(registry)])]
}

/** A code that nothing is called would never be met, and what hangs on it never happen. */
export function checkManifestCodes(document: ManifestDocument, places: Places): void {
  const known = codesOf(document)
  check(document.retry?.on, ['retry', 'on'], known, places)
  check(document.test.accept, ['test', 'accept'], known, places)
}

export function checkSkillCodes({ idempotent }: SkillDocument, manifest: ManifestDocument, places: Places): void {
  check(idempotent?.already_done, ['idempotent', 'already_done'], codesOf(manifest), places)
}

function check(codes: readonly string[] | undefined, path: readonly string[], known: readonly string[], places: Places): void {
  for (const [at, code] of (codes ?? []).entries()) if (!known.includes(code)) places.unknown([...path, at], 'error code', code, known)
}
