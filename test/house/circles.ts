/** The imports of each file: the path of the file, and the paths of the files that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/**
 * Finds files that import each other in a circle.
 * @returns the shortest circle through each file that is in one, each circle once: `['a.ts', 'b.ts']` if a.ts imports b.ts and b.ts imports a.ts.
 * The first file is the first by name. Empty: there is no circle
 */
export function circlesIn(graph: ImportGraph): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>()
  for (const file of graph.keys()) {
    const circle = shortestCircle(graph, file)
    if (circle) found.set(fromFirst(circle).join(' '), fromFirst(circle))
  }
  return [...found.values()]
}

/** Returns the shortest path of imports from a file back to itself. Null: there is none. */
function shortestCircle(graph: ImportGraph, start: string): readonly string[] | null {
  const cameFrom = new Map<string, string>()
  const ahead = [start]
  // The list grows during the loop.
  for (const file of ahead) {
    for (const next of graph.get(file) ?? []) {
      if (next === start) return wayTo(file, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, file)
      ahead.push(next)
    }
  }
  return null
}

/** Returns the path of imports from the file where the search began. */
function wayTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) way.unshift(at)
  return way
}

/** Returns the same circle, starting with its first file by name. */
function fromFirst(circle: readonly string[]): readonly string[] {
  const first = circle.indexOf(circle.toSorted()[0] as string)
  return [...circle.slice(first), ...circle.slice(0, first)]
}
