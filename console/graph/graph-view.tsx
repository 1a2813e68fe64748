import { SegmentedControl } from '@mantine/core'
import { Background, Controls, MiniMap, type NodeMouseHandler, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { type FocusEvent, type JSX, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { edgesOf, nodesOf } from './drawing.ts'
import { GraphList } from './graph-list.tsx'
import { layOut, outlineOf } from './layout.ts'
import type { GraphViewProps } from './props.ts'
import type { Graph, Layout } from './shape.ts'
import { PillNode, StepNode } from './step-node.tsx'
import { Way } from './way.tsx'

const nodeTypes = { step: StepNode, pill: PillNode }
const edgeTypes = { way: Way }
/** A graph is not drawn smaller than this at first, so that its words stay readable. */
const leastZoom = 0.75
const margin = 24
/** The part of a step that must be in view, in pixels: a box is larger, and its words are at its top. */
const widest = 232
const middle = 60
/** A graph with more steps is not drawn: its layout takes long, and nobody could read it. */
const mostDrawn = 1_000

/**
 * A playbook or a run as a graph, with a list of the same steps beside it for those who prefer
 * words. It fills the place that it gets, so its parent needs a height.
 */
export function GraphView(props: GraphViewProps): JSX.Element {
  const [asList, setAsList] = useState(false)
  return (
    <section className="graph" aria-label={props.label}>
      <SegmentedControl
        className="graph-switch"
        size="xs"
        aria-label="Show as"
        value={asList ? 'list' : 'graph'}
        onChange={(chosen) => setAsList(chosen === 'list')}
        data={[
          { value: 'graph', label: 'Graph' },
          { value: 'list', label: 'List' },
        ]}
      />
      {asList ? (
        <GraphList {...props} />
      ) : props.graph.nodes.length > mostDrawn ? (
        <div className="graph-too-large">
          <Empty title={`It is too large to draw: ${props.graph.nodes.length.toLocaleString('en')} steps`}>
            At most {mostDrawn.toLocaleString('en')} are drawn. The list has all of them{'known' in props.graph && ', and so has the timeline'}.
          </Empty>
        </div>
      ) : (
        <ReactFlowProvider>
          <Flow key={props.label} {...props} />
        </ReactFlowProvider>
      )}
    </section>
  )
}

function Flow({ graph, selected, onSelect, label }: GraphViewProps): JSX.Element {
  const { layout, error } = useLayout(graph)
  const { getZoom, setCenter } = useReactFlow()
  const nodes = useMemo(() => (layout ? nodesOf(graph, layout, selected) : []), [graph, layout, selected])
  const edges = useMemo(() => (layout ? edgesOf(graph, layout) : []), [graph, layout])
  const choose = useCallback<NodeMouseHandler>((_, { id, selectable }) => selectable !== false && onSelect(id), [onSelect])
  const place = useRef<HTMLDivElement>(null)
  // Only steps in view are drawn. So the one that the keyboard reaches moves to the middle, and the keyboard finds another one after it.
  const centre = ({ target }: FocusEvent): void => {
    const at = target.matches('.react-flow__node:focus-visible') ? layout?.nodes.get(target.getAttribute('data-id') ?? '') : undefined
    if (at) void setCenter(at.x + Math.min(at.width, widest) / 2, at.y + middle, { zoom: getZoom() })
  }
  if (error) return <ProblemNote error={error} />
  return (
    <div className="graph-place" ref={place} aria-busy={layout === null}>
      {layout === null ? (
        <Loading what="Drawing the graph" />
      ) : (
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          onFocus={centre}
          onNodeClick={choose}
          onPaneClick={() => onSelect(null)}
          onNodesChange={(changes) => {
            // The keyboard chooses nodes through changes; the mouse through clicks.
            const chosen = changes.find((change) => change.type === 'select' && change.selected)
            if (chosen?.type === 'select' && chosen.id !== selected) onSelect(chosen.id)
          }}
          nodesDraggable={false}
          nodesConnectable={false}
          edgesFocusable={false}
          elevateNodesOnSelect={false}
          zoomOnDoubleClick={false}
          onlyRenderVisibleElements
          minZoom={0.1}
          maxZoom={1.6}
          proOptions={{ hideAttribution: true }}
          ariaLabelConfig={{ 'node.a11yDescription.default': 'Press Enter to open this step.' }}
          aria-label={label}
        >
          <FirstView layout={layout} place={place} />
          <FollowSelection layout={layout} selected={selected} />
          <Background gap={24} size={1} />
          <Controls showInteractive={false} />
          {layout.nodes.size > 40 && <MiniMap pannable zoomable ariaLabel="Overview" className="graph-overview" />}
        </ReactFlow>
      )}
    </div>
  )
}

/** Keeps the drawing while the next one is made. */
function useLayout(graph: Graph): { readonly layout: Layout | null; readonly error: unknown } {
  const outline = outlineOf(graph)
  const [made, setMade] = useState<{ readonly outline: string; readonly layout: Layout | null; readonly error: unknown } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: graphs with the same outline have the same layout
  useEffect(() => {
    let open = true
    layOut(graph).then(
      (layout) => open && setMade({ outline, layout, error: null }),
      (error: unknown) => open && setMade({ outline, layout: null, error }),
    )
    return () => {
      open = false
    }
  }, [outline])
  return { layout: made?.layout ?? null, error: made?.outline === outline ? made.error : null }
}

/** Shows the whole graph if it stays readable, else its beginning. Later layouts of the same graph do not move what somebody looks at. */
function FirstView({ layout, place }: { readonly layout: Layout; readonly place: { readonly current: HTMLDivElement | null } }): null {
  const { setViewport } = useReactFlow()
  const given = useRef(false)
  useEffect(() => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = place.current ?? {}
    if (width === 0 || height === 0 || given.current) return
    given.current = true
    const whole = Math.min((width - 2 * margin) / layout.width, (height - 2 * margin) / layout.height, 1)
    const zoom = Math.max(whole, leastZoom)
    const fits = layout.width * zoom <= width - 2 * margin
    const start = layout.nodes.get('^')
    const x = fits || !start ? (width - layout.width * zoom) / 2 : width / 2 - (start.x + start.width / 2) * zoom
    void setViewport({ x, y: margin, zoom })
  }, [layout, place, setViewport])
  return null
}

/** Brings the chosen node into view, if somebody chose it elsewhere. */
function FollowSelection({ layout, selected }: { readonly layout: Layout; readonly selected: string | null }): null {
  const { getViewport, setCenter } = useReactFlow()
  useEffect(() => {
    const at = selected === null ? undefined : layout.nodes.get(selected)
    const pane = document.querySelector('.graph-place')
    if (!at || !pane) return
    const { x, y, zoom } = getViewport()
    const [left, top] = [at.x * zoom + x, at.y * zoom + y]
    const inView = left >= 0 && top >= 0 && left + Math.min(at.width, widest) * zoom <= pane.clientWidth && top + middle * zoom <= pane.clientHeight
    if (!inView) void setCenter(at.x + Math.min(at.width, widest) / 2, at.y + middle, { zoom: Math.max(zoom, leastZoom) })
  }, [layout, selected, getViewport, setCenter])
  return null
}
