import type { Path } from '../../expressions/index.ts'
import type { Plugin } from '../types.ts'

/**
 * Returns the credential fields that decide where requests go: those that are part of an origin,
 * the base or the token endpoint's URL, and all fields that are URLs. A change of one of them must
 * include all secrets; otherwise somebody who does not know the secrets could have them sent
 * elsewhere.
 */
export function originFields({ manifest }: Plugin): readonly string[] {
  const { document, origins, token } = manifest
  const read = new Set([...origins.flatMap(({ reads }) => reads), ...(token?.url.reads ?? [])].flatMap(fieldOf))
  if (document.request?.base) read.add(document.request.base.credential)
  return document.credentials
    .filter(({ name, type, secret }) => !secret && (read.has(name) || type === 'origin' || type === 'url'))
    .map(({ name }) => name)
}

function fieldOf([root, name]: Path): readonly string[] {
  return root === 'credentials' && name !== undefined ? [name] : []
}
