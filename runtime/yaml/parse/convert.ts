import type { Node } from 'yaml'
import type { Json } from '../../domain/index.ts'
import { yaml } from '../../packages/index.ts'
import type { YamlLimits } from '../limits.ts'
import { type Form, type Tree, TreeBuilder } from '../tree.ts'

/** The most values that all aliases of a document may repeat. Without this limit, a few lines could mean billions of values. */
const maxAliased = 10_000

/** Stops reading. `large`: the document may be correct, but it is too large. */
type Fail = (node: Node, message: string, large?: 'large') => never

/** The value of a document, with the place of everything in it. */
export interface Converted {
  readonly value: Json
  readonly tree: Tree
}

interface Anchored {
  /** Undefined until all of it has been read. An alias to it from the inside would repeat itself. */
  value: Json | undefined
  size: number
  readonly node: number
}

type Key = Parameters<TreeBuilder['open']>[2]

/** Turns nodes into JSON values. Aliases share the value they repeat, so they cost no memory. Their number is limited for code that visits every value. */
export function convert(root: Node | null, limits: YamlLimits, fail: Fail): Converted {
  const { isAlias, isMap, isScalar, isSeq } = yaml()
  const builder = new TreeBuilder()
  /** The anchors so far, by name. An alias repeats the last anchor of its name before it. */
  const anchors = new Map<string, Anchored>()
  let aliased = 0
  let size = 0

  const read = (node: Node, key: Key, depth: number): Json => {
    if (depth > limits.depth) fail(node, `Nested deeper than ${limits.depth} levels.`, 'large')
    if (isAlias(node)) return repeat(node, key)
    const before = size
    size += 1
    const index = builder.open(formOf(node), rangeOf(node), key)
    const name = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined
    const anchored: Anchored = { value: undefined, size: 0, node: index }
    if (name !== undefined) anchors.set(name, anchored)
    const value = isMap(node)
      ? mapping(node, node.items as readonly Entry[], depth)
      : isSeq(node)
        ? list(node, node.items as readonly Node[], depth)
        : scalar(node)
    builder.close(index)
    anchored.value = value
    anchored.size = size - before
    return value
  }

  const repeat = (node: Node, key: Key): Json => {
    const known = isAlias(node) ? anchors.get(node.source) : undefined
    if (known === undefined) return fail(node, 'A `*` without quotes repeats a value that `&` has named, and there is none; put a text in quotes.')
    if (known.value === undefined) return fail(node, 'This alias repeats a value that contains it.')
    aliased += known.size
    size += known.size
    if (aliased > maxAliased) fail(node, `The aliases of this document repeat more than ${maxAliased} values.`, 'large')
    builder.close(builder.open('alias', rangeOf(node), key), known.node)
    return known.value
  }

  const mapping = (node: Node, items: readonly Entry[], depth: number): Json => {
    if (items.length > limits.keys) fail(node, `This mapping has ${items.length} keys; ${limits.keys} are allowed.`, 'large')
    const entries: [string, Json][] = []
    for (const { key, value } of items) {
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : fail(key, 'A key must be a string.')
      if (name === '<<') fail(key, 'Merge keys (`<<`) are not allowed; repeat the keys, or use an alias as a whole value.')
      if (name === '__proto__') fail(key, 'The key `__proto__` is not allowed.')
      const at = { name, range: rangeOf(key) }
      if (value !== null) entries.push([name, read(value, at, depth + 1)])
      else {
        builder.close(builder.open('absent', [-1, -1], at))
        entries.push([name, null])
      }
    }
    return Object.fromEntries(entries)
  }

  const list = (node: Node, items: readonly Node[], depth: number): Json => {
    if (items.length > limits.items) fail(node, `This list has ${items.length} items; ${limits.items} are allowed.`, 'large')
    return items.map((item) => read(item, null, depth + 1))
  }

  const scalar = (node: Node): Json => {
    if (!isScalar(node)) return fail(node, 'This cannot be read.')
    const { value } = node
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return fail(node, 'Infinity and NaN are not values here.')
      // As in JSON: a number that a double cannot hold exactly stays text.
      if (Number.isInteger(value) && !Number.isSafeInteger(value) && node.source !== undefined && /^[-+]?[0-9]+$/.test(node.source)) {
        return node.source.replace(/^\+/, '')
      }
      return value
    }
    return typeof value === 'string' || typeof value === 'boolean'
      ? value
      : value === null || value === undefined
        ? null
        : fail(node, 'This is not a JSON value.')
  }

  const value = root === null ? null : read(root, null, 0)
  return { value, tree: builder.build() }
}

interface Entry {
  readonly key: Node
  readonly value: Node | null
}

const scalarForms: Readonly<Record<string, Form>> = {
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

function formOf(node: Node): Form {
  const { isMap, isScalar, isSeq } = yaml()
  if (isMap(node)) return 'map'
  if (isSeq(node)) return 'list'
  return (isScalar(node) ? scalarForms[node.type ?? ''] : undefined) ?? 'plain'
}

function rangeOf(node: Node): readonly [number, number] {
  return [node.range?.[0] ?? 0, node.range?.[1] ?? 0]
}
