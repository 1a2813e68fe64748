import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from 'yaml'
import type { Json } from '../domain/index.ts'

/** How many values all aliases of a document may repeat together; a few lines could otherwise stand for billions. */
const maxAliased = 10_000
/** Deeper nesting than any playbook or manifest has. */
export const maxDepth = 100

type Fail = (node: Node, message: string) => never

/** Turns nodes into JSON values. Aliases share the value they repeat, so they cost no memory; their count is bounded for who walks them. */
export function converter(fail: Fail, document: Document): (node: Node) => Json {
  let aliased = 0
  const anchors = new Map<Node, { readonly value: Json; readonly size: number }>()
  let size = 0

  const convert = (node: Node, depth: number): Json => {
    if (depth > maxDepth) fail(node, `Nested deeper than ${maxDepth} levels.`)
    if (isAlias(node)) return repeat(node)
    const before = size
    size += 1
    const value = isMap(node)
      ? mapping(node.items as readonly Entry[], depth)
      : isSeq(node)
        ? list(node.items as readonly Node[], depth)
        : scalar(node)
    if (!isAlias(node) && (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) {
      anchors.set(node, { value, size: size - before })
    }
    return value
  }

  const repeat = (node: Node): Json => {
    const target = isAlias(node) ? node.resolve(document) : undefined
    // An anchor inside itself is not finished when its alias is met, so it is not found here.
    const known = target === undefined ? undefined : anchors.get(target)
    if (known === undefined) return fail(node, 'This alias repeats something that it is part of, or that is not there.')
    aliased += known.size
    size += known.size
    if (aliased > maxAliased) fail(node, `The aliases of this document repeat more than ${maxAliased} values.`)
    return known.value
  }

  const mapping = (items: readonly Entry[], depth: number): Json => {
    const entries: [string, Json][] = []
    for (const { key, value } of items) {
      const name = isScalar(key) && typeof key.value === 'string' ? key.value : fail(key, 'A key must be a string.')
      if (name === '<<') fail(key, 'Merge keys (`<<`) are not read; repeat the keys, or use an alias as a whole value.')
      if (name === '__proto__') fail(key, 'The key `__proto__` is not allowed.')
      entries.push([name, value === null ? null : convert(value, depth + 1)])
    }
    return Object.fromEntries(entries)
  }

  const list = (items: readonly Node[], depth: number): Json => items.map((item) => convert(item, depth + 1))

  const scalar = (node: Node): Json => {
    if (!isScalar(node)) return fail(node, 'This cannot be read.')
    const { value } = node
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return fail(node, 'Infinity and NaN are not values here.')
      // As in JSON: what a double cannot hold exactly stays text.
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

  return (node) => convert(node, 0)
}

interface Entry {
  readonly key: Node
  readonly value: Node | null
}
