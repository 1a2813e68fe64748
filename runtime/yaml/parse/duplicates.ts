import type { Node, Pair } from 'yaml'
import { cutText } from '../../domain/index.ts'
import { yaml } from '../../packages/index.ts'
import type { SyntaxFault } from './advice.ts'

/** Finds keys that occur twice in one mapping. Returns at most `most` faults. */
export function duplicateKeys(root: Node | null, most: number): readonly SyntaxFault[] {
  const { isMap, isScalar, isSeq } = yaml()
  const found: SyntaxFault[] = []
  const open: unknown[] = [root]
  while (open.length > 0 && found.length < most) {
    const node = open.pop()
    if (isSeq(node)) for (const item of node.items.toReversed()) open.push(item)
    if (!isMap(node)) continue
    const seen = new Set<unknown>()
    const inside: unknown[] = []
    for (const { key, value } of node.items as readonly Pair[]) {
      inside.push(key, value)
      if (!isScalar(key)) continue
      if (!seen.has(key.value)) seen.add(key.value)
      else if (found.length < most)
        found.push({ offset: key.range?.[0] ?? 0, message: `The key \`${shown(key.source ?? '')}\` is here for the second time.` })
    }
    for (const part of inside.toReversed()) open.push(part)
  }
  return found
}

function shown(key: string): string {
  return cutText(key, 60)
}
