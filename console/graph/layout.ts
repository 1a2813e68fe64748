import elk, { type ELK } from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import { elkGraphOf, type Graph, type Layout, layoutOf } from './shape.ts'

/** How many drawings are remembered. */
const most = 20

const known = new Map<string, Promise<Layout>>()
let engine: ELK | null = null

/** Returns a key of all that a layout depends on. It has no states, so the layout of a run stays while the run goes on. */
export function outlineOf({ nodes, edges, ...graph }: Graph): string {
  const steps = nodes.map(({ address, parent, part }) => [address, parent, part?.of])
  return JSON.stringify(['known' in graph, steps, edges.map(({ from, to, kind, label }) => [from, to, kind, label])])
}

/**
 * Finds places for the nodes and edges of a graph. A worker does it, so the page does not wait. Its
 * file comes from the server itself, as the content security policy demands.
 * @throws the engine's error
 */
export function layOut(graph: Graph): Promise<Layout> {
  const outline = outlineOf(graph)
  const standing = known.get(outline)
  if (standing) return standing
  engine ??= new elk.default({ workerFactory: () => new Worker(workerUrl) })
  const made = engine.layout(elkGraphOf(graph)).then(layoutOf)
  known.set(outline, made)
  made.catch(() => known.delete(outline))
  const [oldest] = known.keys()
  if (known.size > most && oldest !== undefined) known.delete(oldest)
  return made
}
