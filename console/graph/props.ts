import type { Graph } from './shape.ts'

/** What a graph needs. */
export interface GraphViewProps {
  /** The answer of `GET …/runs/{id}/graph`, or the `graph` of a playbook's. */
  readonly graph: Graph
  /** The address of the chosen node. Null: none is chosen. */
  readonly selected: string | null
  /** Somebody chose a node, by mouse or keyboard. Null: they clicked beside all nodes. */
  readonly onSelect: (address: string | null) => void
  /** What the graph shows, for screen readers: "Playbook mfa-fatigue". */
  readonly label: string
}
