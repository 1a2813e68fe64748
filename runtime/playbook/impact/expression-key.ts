import type { Json } from '../../domain/index.ts'
import { compileValue, type Filters, type Path } from '../../expressions/index.ts'

/**
 * What the value of an expression depends on. In one run, and for the same items of the surrounding
 * loops, expressions with the same key have the same value.
 */
export interface Dependence {
  readonly key: string
  /** The addresses of the surrounding loops whose items change the value. */
  readonly loops: ReadonlySet<string>
  /** Whether the value is certainly there, and not null or empty text. */
  readonly sure?: boolean
}

/** What paths mean at one place in a playbook. Null: the value may change during the run. */
export interface Surroundings {
  /** @param alone true if the path is the whole expression, so that no default replaces a missing value */
  read(path: Path, alone: boolean): Dependence | null
  readonly filters: Filters
}

const none: ReadonlySet<string> = new Set()
const simple = /^\{\{-?\s*([A-Za-z_]\w*(?:\.\w+)*)\s*-?\}\}$/

export function constantKey(value: Json): Dependence {
  return { key: `= ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`, loops: none }
}

/** Returns the path if a text is only one `{{ a.b.c }}`. */
export function pathIn(source: Json): Path | null {
  const path = typeof source === 'string' ? simple.exec(source)?.[1] : undefined
  return path === undefined ? null : path.split('.')
}

/** Returns the key of a value in a playbook. Null if nothing is known of it. */
export function keyOf(source: Json, around: Surroundings): Dependence | null {
  const path = pathIn(source)
  if (path) return around.read(path, true)
  const { constant, reads } = compileValue(source, around.filters)
  return constant ? constantKey(source) : composed(source, reads, (read) => around.read(read, false))
}

/** Returns the key of an expression that is more than one path: its source and the keys of its paths. */
export function composed(source: Json, reads: readonly Path[], read: (path: Path) => Dependence | null): Dependence | null {
  const parts: string[] = []
  const loops = new Set<string>()
  for (const path of reads) {
    const part = read(path)
    if (!part) return null
    parts.push(part.key)
    for (const loop of part.loops) loops.add(loop)
  }
  return { key: JSON.stringify([source, ...parts]), loops }
}

/** Returns the key of a value inside another. */
export function below(value: Dependence | null, rest: Path): Dependence | null {
  return value && rest.length > 0 ? { key: `${value.key}.${rest.join('.')}`, loops: value.loops } : value
}

/**
 * Returns the key of a value that a default replaces if the value is missing.
 * @param schema replaces a value that does not fit it, too; null: there is none
 */
export function orUsual(source: Json, usual: Json, around: Surroundings, schema: Json = null): Dependence | null {
  const value = keyOf(source, around)
  const kept = compileValue(source, around.filters).constant || (value?.sure && schema === null)
  return value && !kept ? { key: JSON.stringify(['or', value.key, usual, schema]), loops: value.loops } : value
}
