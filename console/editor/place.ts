import { type Document, isMap, isPair, isScalar, isSeq, parseDocument } from 'yaml'

/** Where a position is in a YAML text. */
export interface YamlPlace {
  /** The keys and indices that lead to the object or value. */
  readonly path: readonly (string | number)[]
  /** Whether a key or a value is written there. */
  readonly part: 'key' | 'value'
  /** The values along the path, from the whole document on: one more than the path. */
  readonly values: readonly unknown[]
}

const mark = 'zqcursorqz'

/**
 * Finds where a position is. The word at the position is replaced by a mark, so that an unfinished line is read as a key or value.
 * Null: the text around it cannot be read.
 */
export function placeAt(text: string, from: number, to: number): YamlPlace | null {
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from)
  const isValue = /(^|[\s{,[])[\w.$-]+:\s+$|^\s*(- )?['"]?[\w.$-]+['"]?:\s+$/.test(line) || /[[,]\s*$/.test(line)
  const flow = /[{,]\s*$/.test(line) && !/\[[^\]{]*$/.test(line)
  for (const put of isValue && !flow ? [mark] : [`${mark}: 0`, mark]) {
    const document = parseDocument(`${text.slice(0, from)}${put}${text.slice(to)}`, { uniqueKeys: false, strict: false, logLevel: 'silent' })
    const path = find(document, document.contents, [])
    if (path === null) continue
    const keys = path.path
    return { ...path, values: [[], ...keys.map((_, at) => keys.slice(0, at + 1))].map((part) => valueAt(document, part)) }
  }
  return null
}

function find(document: Document, node: unknown, path: readonly (string | number)[]): Omit<YamlPlace, 'values'> | null {
  if (isScalar(node)) return node.value === mark ? { path, part: 'value' } : null
  if (isSeq(node)) {
    for (const [at, item] of node.items.entries()) {
      const found = find(document, item, [...path, at])
      if (found) return found
    }
  }
  if (isMap(node)) {
    for (const pair of node.items) {
      if (!isPair(pair)) continue
      const key = isScalar(pair.key) ? String(pair.key.value) : ''
      if (key === mark) return { path, part: 'key' }
      const found = find(document, pair.value, [...path, key])
      if (found) return found
    }
  }
  return null
}

/** Returns the keys of the value, with their plain values only. Only these decide which schema applies. */
function valueAt(document: Document, path: readonly (string | number)[]): unknown {
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  if (isScalar(node)) return node.value
  if (isSeq(node)) return []
  if (!isMap(node)) return undefined
  const entries = node.items.flatMap((pair): [string, unknown][] => {
    const key = isScalar(pair.key) ? String(pair.key.value) : ''
    return key === mark ? [] : [[key, isScalar(pair.value) ? pair.value.value : {}]]
  })
  return Object.fromEntries(entries)
}

/** The names that a playbook's own templates may read: its inputs, steps, vars and slots. */
export interface OwnNames {
  readonly inputs: readonly string[]
  readonly steps: readonly string[]
  readonly slots: readonly string[]
}

export function namesIn(text: string): OwnNames {
  const all = (pattern: RegExp): readonly string[] => [...new Set([...text.matchAll(pattern)].flatMap((found) => found[1] ?? []))]
  return {
    inputs: keysBelow(text, 'inputs'),
    steps: all(/(?:^|[{,\s-])id:\s*([\w-]+)/gm),
    slots: keysBelow(text, 'connections'),
  }
}

/** The keys of a block at the beginning of a line. */
function keysBelow(text: string, block: string): readonly string[] {
  const found = new RegExp(`^${block}:[ \\t]*\\n((?:[ \\t]+[^\\n]*\\n|\\s*\\n)*)`, 'm').exec(`${text}\n`)?.[1] ?? ''
  return [...found.matchAll(/^ {2}([\w-]+):/gm)].flatMap(([, name]) => name ?? [])
}
