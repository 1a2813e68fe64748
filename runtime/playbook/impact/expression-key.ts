import type { Json } from '../../domain/index.ts'
import { compileValue, type Filters, type Path } from '../../expressions/index.ts'

/** What an expression's value depends on. Two with the same key have the same value within a run, for the same items of the loops around. */
export interface Dependence {
  readonly key: string
  /** The loops around with whose items the value changes, by address. */
  readonly loops: ReadonlySet<string>
}

/** What paths stand for at one place of a playbook; null: a value that may change while the run goes on. */
export interface Surroundings {
  /** @param alone whether the path is the whole expression, so that nothing stands in where it is missing */
  read(path: Path, alone: boolean): Dependence | null
  readonly filters: Filters
}

const none: ReadonlySet<string> = new Set()
const simple = /^\{\{-?\s*([A-Za-z_]\w*(?:\.\w+)*)\s*-?\}\}$/

export function constantKey(value: Json): Dependence {
  return { key: `= ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`, loops: none }
}

/** The path of a text that is one `{{ a.b.c }}` and nothing else. */
export function pathIn(source: Json): Path | null {
  const path = typeof source === 'string' ? simple.exec(source)?.[1] : undefined
  return path === undefined ? null : path.split('.')
}

/** The key of a value as it is written in a playbook; null when nothing is known of it. */
export function keyOf(source: Json, around: Surroundings): Dependence | null {
  const path = pathIn(source)
  if (path) return around.read(path, true)
  const { constant, reads } = compileValue(source, around.filters)
  return constant ? constantKey(source) : composed(source, reads, (read) => around.read(read, false))
}

/** The key of an expression that is more than one path: what is written, and what its paths stand for. */
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

/** What lies below a value. */
export function below(value: Dependence | null, rest: Path): Dependence | null {
  return value && rest.length > 0 ? { ...value, key: `${value.key}.${rest.join('.')}` } : value
}
