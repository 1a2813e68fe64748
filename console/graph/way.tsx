import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { type JSX, memo } from 'react'
import { Foreign } from '../shared/foreign.tsx'
import { type Box, pathThrough } from './shape.ts'

/** What a drawn way shows. */
export interface WayData extends Record<string, unknown> {
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly label: { readonly text: string; readonly at: Box } | null
  /** Null if the graph is not of a run. */
  readonly taken: boolean | null
}

/** A way from one step to the next, where the layout has put it. */
export const Way = memo(function Way({ id, data, markerEnd }: EdgeProps<Edge<WayData>>): JSX.Element | null {
  if (!data) return null
  const { points, label, taken } = data
  const name = taken === null ? 'graph-way' : taken ? 'graph-way graph-taken' : 'graph-way graph-untaken'
  return (
    <>
      <BaseEdge id={id} path={pathThrough(points)} className={name} {...(markerEnd !== undefined && { markerEnd })} />
      {label && (
        <EdgeLabelRenderer>
          <div
            className={`graph-label ${taken === false ? 'graph-label-untaken' : ''}`}
            style={{ transform: `translate(${label.at.x}px, ${label.at.y}px)`, width: label.at.width }}
            title={label.text}
          >
            <Foreign value={label.text} />
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
})
