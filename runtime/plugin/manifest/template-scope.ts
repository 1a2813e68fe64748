import type { Json } from '../../domain/index.ts'
import type { Path } from '../../expressions/index.ts'
import { hint } from '../../yaml/index.ts'

type Schema = Readonly<Record<string, Json>>

/** What the templates of one place may read: the names below each root. Null: any name. */
export type Scope = Readonly<Record<string, readonly string[] | null>>

/** Returns the names that an object of this schema has, or null if it may have others. */
export function namesOf(schema: Schema): readonly string[] | null {
  const { properties, additionalProperties } = schema
  const closed = additionalProperties === false && typeof properties === 'object' && properties !== null
  return closed ? Object.keys(properties) : null
}

/** Describes what a template reads that does not exist. Empty if everything exists. */
export function unknownReads(reads: readonly Path[], scope: Scope, secrets: readonly string[]): readonly string[] {
  const faults = reads.map(([root = '', name]) => {
    if (root === 'credentials' && name !== undefined && secrets.includes(name))
      return `\`credentials.${name}\` is a secret; only \`auth\` may use secrets`
    if (!Object.hasOwn(scope, root))
      return `there is no \`${root}\` here${hint(root, Object.keys(scope))}; available here: ${Object.keys(scope).join(', ')}`
    const names = scope[root] ?? null
    if (names === null || (name !== undefined && names.includes(name))) return null
    return name === undefined
      ? `\`${root}\` cannot be used as a whole; name one of its values: ${names.join(', ')}`
      : `\`${root}.${name}\` does not exist${hint(name, names)}`
  })
  return [...new Set(faults.filter((fault) => fault !== null))]
}
