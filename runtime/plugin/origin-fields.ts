import type { Plugin } from './types.ts'

/**
 * The credential fields that decide where requests go: those that an origin, the base or the auth scheme's addresses are made of, and every address.
 * Whoever changes one of them must know the secrets, or could send them elsewhere.
 */
export function originFields({ manifest }: Plugin): readonly string[] {
  const { document, origins } = manifest
  const read = new Set(origins.flatMap(({ reads }) => reads.flatMap(([root, name]) => (root === 'credentials' && name !== undefined ? [name] : []))))
  if (document.request?.base) read.add(document.request.base.credential)
  const elsewhere = JSON.stringify([document.auth, document.derived_origins ?? []])
  return document.credentials
    .filter(({ name, type, secret }) => !secret && (read.has(name) || type === 'origin' || type === 'url' || names(elsewhere, name)))
    .map(({ name }) => name)
}

function names(text: string, field: string): boolean {
  return new RegExp(`credentials\\.${field}\\b`).test(text)
}
