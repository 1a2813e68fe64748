import type { Json } from '../domain/index.ts'
import { type GraphEdge, type GraphNode, nodeOf, type PlaybookGraph } from '../playbook/index.ts'
import { forEachWithTurns, type Turn } from './for-each.ts'
import type { OutlinedStep } from './outline.ts'
import type { StepState } from './step-state.ts'

/** A node, and what a run did there. */
export interface LitNode extends GraphNode {
  /** How many steps of the run have each state. A loop can have several. Empty if the run did not reach the node. */
  readonly states: Readonly<Partial<Record<StepState, number>>>
  /** The address of the step to show: the first one with the most urgent state. Null if the run did not reach the node. */
  readonly step: string | null
  /** The first step with each state. */
  readonly firsts: Readonly<Partial<Record<StepState, string>>>
}

/** The graph of a run's playbook with the way that the run took. */
export interface LitGraph extends Omit<PlaybookGraph, 'nodes' | 'edges'> {
  readonly nodes: readonly LitNode[]
  readonly edges: readonly (GraphEdge & { readonly taken: boolean })[]
}

/** The states, most urgent first. */
const urgency: readonly StepState[] = ['in_doubt', 'failed', 'waiting', 'under_way', 'interrupted', 'skipped', 'done']

interface Reached {
  readonly states: Partial<Record<StepState, number>>
  readonly firsts: Partial<Record<StepState, string>>
  /** What its `if` or `switch` decided, in all iterations. */
  readonly branches: Set<Json>
}

/**
 * Marks the nodes and edges that a run has taken.
 * @param branchOf what an `if` or a `switch` decided, by address
 * @param ended whether the run has completed
 */
export async function litGraph(
  { nodes, edges, ...playbook }: PlaybookGraph,
  steps: readonly OutlinedStep[],
  branchOf: (address: string) => Json | undefined,
  ended: boolean,
  turn: Turn,
): Promise<LitGraph> {
  const reached = new Map<string, Reached>()
  await forEachWithTurns(steps, turn, ({ address, state }) => {
    const node = nodeOf(address)
    const at = reached.get(node) ?? { states: {}, firsts: {}, branches: new Set() }
    reached.set(node, at)
    at.states[state] = (at.states[state] ?? 0) + 1
    at.firsts[state] ??= address
    const branch = branchOf(address)
    if (branch !== undefined) at.branches.add(branch)
  })
  const known = new Map(nodes.map((node) => [node.address, node]))
  return {
    ...playbook,
    nodes: nodes.map((node) => {
      const at = reached.get(node.address)
      const firsts = at?.firsts ?? {}
      return { ...node, states: at?.states ?? {}, firsts, step: urgency.map((state) => firsts[state]).find((step) => step !== undefined) ?? null }
    }),
    edges: edges.map((edge) => ({ ...edge, taken: isTaken(edge, known, reached, ended) })),
  }
}

function isTaken(
  { from, to, kind, index }: GraphEdge,
  nodes: ReadonlyMap<string, GraphNode>,
  reached: ReadonlyMap<string, Reached>,
  ended: boolean,
): boolean {
  if (to !== null && !reached.has(to)) return false
  if (from === null) return to !== null || ended
  const at = reached.get(from)
  if (!at) return false
  // Until an `if` or a `switch` has ended, its decision shows only in the steps that were reached.
  const decided = (branch: Json): boolean => (at.branches.size === 0 ? to !== null && !('skipped' in at.states) : at.branches.has(branch))
  switch (kind) {
    case 'then':
      return decided(true)
    case 'else':
      return decided(false)
    case 'case':
      return decided(index)
    case 'no_case':
      return decided(null)
    case 'on_error':
      return 'failed' in at.states
    case 'skipped':
      return 'skipped' in at.states
    case 'next': {
      const went = 'done' in at.states || 'skipped' in at.states || ('failed' in at.states && nodes.get(from)?.onError === 'continue')
      return went && (to !== null || ended)
    }
    case 'stop':
      return 'done' in at.states
    case 'branch':
    case 'each':
    case 'steps':
      return true
  }
}
