import type { FoundGroup } from './found.ts'

/**
 * Joins groups of one name, which were looked for in several places. Nothing is twice in it.
 * @param most the most entries of a group
 */
export function joined(groups: readonly FoundGroup[], most: number): readonly FoundGroup[] {
  return [...Map.groupBy(groups, ({ group }) => group)].map(([group, parts]) => {
    const found = [...new Map(parts.flatMap((part) => part.found).map((one) => [one.id, one])).values()].slice(0, most)
    return { group, found, exact: parts.some(({ exact }) => exact) }
  })
}
