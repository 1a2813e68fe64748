import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { PlaybookGraphView, RunGraphView } from '../../runtime/api/index.ts'

export type Graph = PlaybookGraphView | RunGraphView
export type GraphNode = Graph['nodes'][number]
type GraphEdge = Graph['edges'][number]

/** The ids of the two round nodes: where a run begins, and where it ends. No step has such an address. */
export const beginning = '^'
export const end = '$'

/** Sizes in pixels at a zoom of 1. The layout needs them before anything is drawn. */
const nodeWidth = 232
const nodeHeight = { plain: 62, lit: 84 }
const pill = { width: 84, height: 30 }
/** The head of a loop or of a sub-playbook, above its steps. */
const headHeight = 84

/** Returns the loop or sub-playbook that a node is drawn in. Null: none. Branches are drawn beside each other, without a box. */
function boxOf(node: GraphNode, byAddress: ReadonlyMap<string, GraphNode>): string | null {
  if (!node.part || node.parent === null) return null
  if (node.part.of === 'each' || node.part.of === 'steps') return node.parent
  const parent = byAddress.get(node.parent)
  return parent ? boxOf(parent, byAddress) : null
}

/** Returns the addresses of the nodes that are drawn as boxes around others. */
export function boxesOf({ nodes }: Graph): ReadonlySet<string> {
  return new Set(nodes.flatMap(({ part, parent }) => (parent !== null && (part?.of === 'each' || part?.of === 'steps') ? [parent] : [])))
}

/** An edge that is drawn, with its place in the graph's list of edges as id. */
export interface DrawnEdge {
  readonly id: string
  readonly source: string
  readonly target: string
  readonly edge: GraphEdge
}

/** Returns the edges that are drawn. The way into a box is the box itself, and a `stop` inside a box says so in words. */
export function drawnEdges({ nodes, edges }: Graph): readonly DrawnEdge[] {
  const byAddress = new Map(nodes.map((node) => [node.address, node]))
  const box = (address: string): string | null => {
    const node = byAddress.get(address)
    return node ? boxOf(node, byAddress) : null
  }
  return edges.flatMap((edge, index) => {
    if (edge.kind === 'each' || edge.kind === 'steps') return []
    if (edge.to === null && edge.from !== null && box(edge.from) !== null) return []
    return [{ id: String(index), source: edge.from ?? beginning, target: edge.to ?? end, edge }]
  })
}

const spacing: Readonly<Record<string, string>> = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.spacing.nodeNode': '28',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.spacing.edgeNode': '18',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
  'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED',
  // Branches stay in the order of the text.
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.crossingMinimization.forceNodeModelOrder': 'true',
}

const insideBox = { ...spacing, 'elk.padding': `[top=${headHeight + 16},left=16,bottom=16,right=16]` }

/** Returns what the layout engine gets: the nodes with their sizes, each inside its box. */
export function elkGraphOf(graph: Graph): ElkNode {
  const byAddress = new Map(graph.nodes.map((node) => [node.address, node]))
  const height = 'known' in graph ? nodeHeight.lit : nodeHeight.plain
  const boxes = boxesOf(graph)
  const root: ElkNode = { id: 'root', layoutOptions: spacing, children: [{ id: beginning, ...pill }], edges: [] }
  const made = new Map<string | null, ElkNode>([[null, root]])
  for (const node of graph.nodes) {
    const { address } = node
    const elk: ElkNode = boxes.has(address)
      ? {
          id: address,
          layoutOptions: { ...insideBox, 'elk.nodeSize.constraints': 'MINIMUM_SIZE', 'elk.nodeSize.minimum': `(${nodeWidth + 32},${headHeight})` },
          children: [],
          edges: [],
        }
      : { id: address, width: nodeWidth, height }
    made.set(address, elk)
    made.get(boxOf(node, byAddress))?.children?.push(elk)
  }
  root.children?.push({ id: end, ...pill })
  for (const { id, source, target, edge } of drawnEdges(graph)) {
    const from = byAddress.get(source)
    const within = from ? boxOf(from, byAddress) : null
    const edges = made.get(within)?.edges as ElkExtendedEdge[] | undefined
    edges?.push({
      id,
      sources: [source],
      targets: [target],
      labels: edge.label === null ? [] : [{ id: `${id} label`, text: edge.label, width: labelWidth(edge.label), height: 20 }],
    })
  }
  return root
}

/** Labels are cut with an ellipsis beyond this width, in pixels. */
const longestLabel = 190

/** Returns a width that a label surely fits into, or the longest one. */
function labelWidth(text: string): number {
  return Math.min(longestLabel, 14 + text.length * 7)
}

/** A place in the drawing, in pixels from its upper left corner. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Where everything is drawn. */
export interface Layout {
  readonly width: number
  readonly height: number
  /** By address. */
  readonly nodes: ReadonlyMap<string, Box>
  /** By the id of the edge. */
  readonly edges: ReadonlyMap<string, { readonly points: readonly Point[]; readonly label: Box | null }>
}

/** Collects the places that the layout engine has found, all from the same corner. */
export function layoutOf(root: ElkNode): Layout {
  const nodes = new Map<string, Box>()
  const edges = new Map<string, { readonly points: readonly Point[]; readonly label: Box | null }>()
  const open: { readonly node: ElkNode; readonly at: Point }[] = [{ node: root, at: { x: 0, y: 0 } }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, at } = next
    for (const child of node.children ?? []) {
      const place = placed(child, at)
      nodes.set(child.id, place)
      open.push({ node: child, at: place })
    }
    for (const { id, sections, labels } of node.edges ?? []) {
      const [section] = sections ?? []
      if (!section) continue
      const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => ({ x: x + at.x, y: y + at.y }))
      edges.set(id, { points, label: labels?.[0] ? placed(labels[0], at) : null })
    }
  }
  return { width: root.width ?? 0, height: root.height ?? 0, nodes, edges }
}

function placed({ x = 0, y = 0, width = 0, height = 0 }: { x?: number; y?: number; width?: number; height?: number }, at: Point): Box {
  return { x: at.x + x, y: at.y + y, width, height }
}

/** How round the corners of edges are, in pixels. */
const corner = 8

/** Returns an SVG path through points, with round corners. */
export function pathThrough(points: readonly Point[]): string {
  const [first, ...rest] = points
  if (!first) return ''
  const parts = [`M${first.x},${first.y}`]
  let before = first
  for (const [index, point] of rest.entries()) {
    const after = rest[index + 1]
    if (!after) {
      parts.push(`L${point.x},${point.y}`)
      break
    }
    const [a, b] = [towards(point, before), towards(point, after)]
    parts.push(`L${a.x},${a.y}`, `Q${point.x},${point.y} ${b.x},${b.y}`)
    before = point
  }
  return parts.join(' ')
}

/** Returns the point on the way from one point to another where a round corner begins. */
function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const share = length === 0 ? 0 : Math.min(corner, length / 2) / length
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share }
}
