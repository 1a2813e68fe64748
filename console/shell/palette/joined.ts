import type { FoundGroup } from './found.ts'

/**
 * Joins groups that have the same name. An entry that was found in several places stays once.
 * @param most the most entries of a group
 */
export function joined(groups: readonly FoundGroup[], most: number): readonly FoundGroup[] {
  return [...Map.groupBy(groups, ({ group }) => group)].map(([group, parts]) => {
    const found = [...new Map(parts.flatMap((part) => part.found).map((one) => [one.id, one])).values()].slice(0, most)
    return { group, found, exact: parts.some(({ exact }) => exact) }
  })
}
