import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { type JSX, memo } from 'react'
import { Foreign } from '../shared/foreign.tsx'
import type { Graph, GraphNode } from './shape.ts'
import { actOf, kindOf, stateOf } from './words.ts'

/** What a drawn step shows. */
export interface StepData extends Record<string, unknown> {
  readonly graph: Graph
  readonly node: GraphNode
  /** It contains the steps of a loop or of a sub-playbook. */
  readonly isBox: boolean
}

/** A step. If it is a box, its text is the head of the box. */
export const StepNode = memo(function StepNode({ data: { graph, node, isBox }, selected }: NodeProps<Node<StepData>>): JSX.Element {
  const state = stateOf(graph, node)
  const act = actOf(node)
  return (
    <div
      className={isBox ? 'graph-step graph-box' : 'graph-step'}
      data-state={state?.state ?? 'plain'}
      data-impact={node.impact ?? undefined}
      data-chosen={selected || undefined}
    >
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <div className="graph-head">
        <div className="graph-line">
          <strong className="graph-id">
            <Foreign value={node.id} />
          </strong>
          <span className="graph-kind">{kindOf(node)}</span>
        </div>
        {act !== null && (
          <div className="graph-act" title={act}>
            <Foreign value={act} />
          </div>
        )}
        {node.condition !== null && (
          <div className="graph-act" title={node.condition}>
            if <Foreign value={node.condition} />
          </div>
        )}
        {state && (
          <div className="graph-state" title={state.words}>
            {state.words}
          </div>
        )}
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  )
})

/** The beginning or the end of a run. */
export const PillNode = memo(function PillNode({ data }: NodeProps<Node<{ readonly label: string }>>): JSX.Element {
  return (
    <div className="graph-pill">
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {data.label}
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  )
})
