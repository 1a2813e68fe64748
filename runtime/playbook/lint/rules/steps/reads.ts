import type { Json } from '../../../../domain/index.ts'
import { partsOf } from '../../../../expressions/index.ts'
import { stringsIn } from '../../document/index.ts'
import type { Subject } from '../../rule.ts'

const known = new WeakMap<Subject, ReadonlySet<string>>()

/** Returns what `readsIn` finds in the whole playbook. Several rules need it, so it is found once. */
export function readsOf(subject: Subject): ReadonlySet<string> {
  const reads = known.get(subject) ?? readsIn(subject.root, subject)
  known.set(subject, reads)
  return reads
}

/** Returns what is read anywhere in a value: each root, and each root with the next part of the path. */
export function readsIn(value: Json, { world }: Subject): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (path: readonly string[]): void => {
    const [root = '', name] = path
    // A root without a next part is read as a whole.
    found.add(root).add(`${root}.${name ?? '*'}`)
  }
  // Inputs named in keys, or in text that only looks like a template, count as read. Other rules report those.
  for (const [name] of JSON.stringify(value).matchAll(/\binputs\.\w+/g)) found.add(name)
  for (const { text, path } of stringsIn(value, [])) {
    if (text.includes('{')) for (const { path: read } of partsOf(text, world.filters())?.reads ?? []) add(read)
    // A template that does not parse may read anything that it names.
    if (text.includes('{') && partsOf(text, world.filters()) === null)
      for (const [name] of text.matchAll(/[A-Za-z_]\w*(?:\.\w+)?/g)) add(name.split('.'))
    if (path.some((part) => part === 'var' || part === 'missing' || part === 'missing_some')) add(text.split('.'))
  }
  return found
}
