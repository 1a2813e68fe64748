import type { JSX } from 'react'
import { Foreign } from '../shared/foreign.tsx'
import type { GraphViewProps } from './props.ts'
import type { GraphNode } from './shape.ts'
import { actOf, kindOf, stateOf } from './words.ts'

/** The steps of a graph as nested lists, with the same choice. */
export function GraphList({ graph, selected, onSelect, label }: GraphViewProps): JSX.Element {
  const inside = Map.groupBy(graph.nodes, ({ parent }) => parent)
  const list = (nodes: readonly GraphNode[]): JSX.Element => (
    <ol>
      {nodes.map((node) => {
        const [state, act] = [stateOf(graph, node), actOf(node)]
        return (
          <li key={node.address}>
            <button type="button" aria-current={node.address === selected ? 'step' : undefined} onClick={() => onSelect(node.address)}>
              {node.part && node.part.of !== 'steps' && (
                <span className="graph-part">
                  <Foreign value={node.part.name} />:{' '}
                </span>
              )}
              <strong>
                <Foreign value={node.id} />
              </strong>{' '}
              <span className="graph-kind">{kindOf(node)}</span> {act !== null && <Foreign value={act} />}
              {state && (
                <span className="graph-state" data-state={state.state}>
                  {' '}
                  {state.words}
                </span>
              )}
            </button>
            {inside.has(node.address) && list(inside.get(node.address) ?? [])}
          </li>
        )
      })}
    </ol>
  )
  return (
    <nav className="graph-list" aria-label={`${label}, as a list`}>
      {list(inside.get(null) ?? [])}
    </nav>
  )
}
