import type { Json } from '../../domain/index.ts'
import type { Path } from '../../expressions/index.ts'
import { hint } from '../../yaml/index.ts'

type Schema = Readonly<Record<string, Json>>

/** What templates of one place may name: by root, the names below it, or null where anything may stand. */
export type Scope = Readonly<Record<string, readonly string[] | null>>

/** The names an object of this schema has; null when it may have others. */
export function namesOf(schema: Schema): readonly string[] | null {
  const { properties, additionalProperties } = schema
  const closed = additionalProperties === false && typeof properties === 'object' && properties !== null
  return closed ? Object.keys(properties) : null
}

/** What a template names that is not there, in words; empty when all is there. */
export function unknownReads(reads: readonly Path[], scope: Scope, secrets: readonly string[]): readonly string[] {
  const faults = reads.map(([root = '', name]) => {
    if (root === 'credentials' && name !== undefined && secrets.includes(name))
      return `\`credentials.${name}\` is a secret; secrets exist only in \`auth\``
    if (!Object.hasOwn(scope, root))
      return `there is no \`${root}\` here${hint(root, Object.keys(scope))}; what may be named is ${Object.keys(scope).join(', ')}`
    const names = scope[root] ?? null
    if (names === null || (name !== undefined && names.includes(name))) return null
    return name === undefined
      ? `\`${root}\` as a whole is not there; name one of its values: ${names.join(', ')}`
      : `\`${root}.${name}\` is not there${hint(name, names)}`
  })
  return [...new Set(faults.filter((fault) => fault !== null))]
}
