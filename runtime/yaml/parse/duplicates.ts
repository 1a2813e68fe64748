import type { Node, Pair } from 'yaml'
import { cutText } from '../../domain/index.ts'
import { yaml } from '../../packages/index.ts'
import type { Lines } from '../lines.ts'
import type { SyntaxFault } from './advice.ts'

/** Finds keys that occur twice in one mapping. Returns at most `most` faults. */
export function duplicateKeys(root: Node | null, lines: Lines, most: number): readonly SyntaxFault[] {
  const { isMap, isScalar, isSeq } = yaml()
  const found: SyntaxFault[] = []
  const open: unknown[] = [root]
  while (open.length > 0 && found.length < most) {
    const node = open.pop()
    if (isSeq(node)) for (const item of node.items.toReversed()) open.push(item)
    if (!isMap(node)) continue
    const offsets = new Map<unknown, number>()
    const inside: unknown[] = []
    for (const { key, value } of node.items as readonly Pair[]) {
      inside.push(key, value)
      if (!isScalar(key)) continue
      const offset = key.range?.[0] ?? 0
      const earlier = offsets.get(key.value)
      if (earlier === undefined) offsets.set(key.value, offset)
      else if (found.length < most)
        found.push({ offset, message: `The key \`${shown(key.source ?? '')}\` is already in line ${lines.at(earlier).line}.` })
    }
    for (const part of inside.toReversed()) open.push(part)
  }
  return found
}

function shown(key: string): string {
  return cutText(key, 60)
}
