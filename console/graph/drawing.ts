import { type Edge, MarkerType, type Node } from '@xyflow/react'
import { beginning, boxesOf, drawnEdges, end, type Graph, type Layout } from './shape.ts'
import type { StepData } from './step-node.tsx'
import type { WayData } from './way.tsx'
import { sentenceOf } from './words.ts'

type Drawn = Node<StepData> | Node<{ readonly label: string }>

/** Returns the nodes for React Flow, with everything placed from the same corner. Boxes come before what they contain. */
export function nodesOf(graph: Graph, layout: Layout, selected: string | null): Drawn[] {
  const boxes = boxesOf(graph)
  const steps = graph.nodes.flatMap((node): Drawn[] => {
    const at = layout.nodes.get(node.address)
    if (!at) return []
    return [
      {
        id: node.address,
        type: 'step',
        position: { x: at.x, y: at.y },
        width: at.width,
        height: at.height,
        data: { graph, node, isBox: boxes.has(node.address) },
        selected: node.address === selected,
        ariaLabel: sentenceOf(graph, node),
        zIndex: boxes.has(node.address) ? 0 : 1,
      },
    ]
  })
  const pills = [
    [beginning, 'alert'],
    [end, 'end'],
  ].flatMap(([id = '', label = '']): Drawn[] => {
    const at = layout.nodes.get(id)
    if (!at) return []
    return [
      { id, type: 'pill', position: { x: at.x, y: at.y }, width: at.width, height: at.height, data: { label }, selectable: false, focusable: false },
    ]
  })
  return [...steps, ...pills]
}

/** Returns the edges for React Flow. Those that a run took are drawn last, over the others. */
export function edgesOf(graph: Graph, layout: Layout): Edge<WayData>[] {
  const drawn = drawnEdges(graph).flatMap(({ id, source, target, edge }): Edge<WayData>[] => {
    const way = layout.edges.get(id)
    if (!way) return []
    const taken = 'taken' in edge ? edge.taken : null
    return [
      {
        id,
        source,
        target,
        type: 'way',
        focusable: false,
        selectable: false,
        data: { points: way.points, label: edge.label !== null && way.label ? { text: edge.label, at: way.label } : null, taken },
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: taken ? 'var(--graph-taken)' : 'var(--graph-line)' },
        zIndex: taken ? 3 : 2,
      },
    ]
  })
  return drawn.toSorted((one, other) => Number(one.data?.taken ?? false) - Number(other.data?.taken ?? false))
}
