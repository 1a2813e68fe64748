import type { GraphEdge, GraphNode, PlaybookGraph } from '../../../playbook/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf } from '../../schemas.ts'

export const graphNode = {
  address: Type.String({
    description: 'The address of the step in its runs, with `*` in place of the number of an iteration: `each_user/*/suspend`.',
  }),
  parent: nullable(Type.String({ description: 'The address of the step that contains it.' })),
  part: Type.Union([Type.Null(), Type.Object({ of: oneOf(['then', 'else', 'case', 'branch', 'each', 'steps', 'on_error']), name: Type.String() })], {
    description: 'The part of the parent that it is in, with a name for people.',
  }),
  id: Type.String(),
  kind: oneOf(['skill', 'set', 'if', 'switch', 'foreach', 'parallel', 'playbook', 'script', 'case', 'wait', 'approve', 'stop']),
  title: nullable(Type.String({ description: 'The title of its skill, or the name of the sub-playbook that it runs.' })),
  skill: nullable(Type.String({ description: '<integration>.<skill>, also of a wait that polls.' })),
  impact: Type.Unsafe<GraphNode['impact']>({
    enum: ['read', 'write', 'high', null],
    description: 'Of its skill. Null: it has none, or it is unknown.',
  }),
  slot: nullable(Type.String({ description: 'The slot of its connection.' })),
  playbook: nullable(Type.String({ description: 'The sub-playbook that it is written in. Null: the playbook itself.' })),
  line: Type.Integer({ description: "Line in that playbook's text, from 1." }),
  condition: nullable(Type.String({ description: 'Its `if`, for people.' })),
  detail: nullable(Type.String({ description: 'What it decides, repeats or waits for, for people.' })),
  on_error: oneOf(['fail', 'continue', 'steps'], 'steps: a failure runs the steps of its part `on_error`.'),
  collapsed: Type.Boolean({ description: 'True: the steps of this sub-playbook are left out, because the graph would be too large.' }),
}

export const graphEdge = {
  from: nullable(Type.String({ description: 'The address of a node. Null: the beginning.' })),
  to: nullable(Type.String({ description: 'The address of a node. Null: the end of the run.' })),
  kind: oneOf(
    ['next', 'then', 'else', 'case', 'no_case', 'branch', 'each', 'steps', 'on_error', 'skipped', 'stop'],
    'each: into a loop; steps: into a sub-playbook; no_case: no case of a `switch` held; skipped: past an `if`, `switch`, `parallel` or `stop` whose `if` did not hold (others: next); stop: the run ends here.',
  ),
  label: nullable(Type.String({ description: 'For people.' })),
  index: nullable(Type.Integer({ description: 'Of a case, from 0.' })),
}

export const PlaybookGraphSchema = Type.Object(
  {
    name: Type.String(),
    digest: Type.String(),
    nodes: Type.Array(Type.Object(graphNode), { description: 'Its steps, in the order of the text. The steps inside a step follow right after it.' }),
    edges: Type.Array(Type.Object(graphEdge), { description: 'The ways from one step to the next.' }),
  },
  { $id: 'PlaybookGraph', description: 'A playbook as a graph, with its sub-playbooks inside the steps that run them.' },
)

/** Returns a node of the graph of a playbook as the API shows it. */
export function graphNodeView({ onError, part, ...node }: GraphNode): Static<typeof PlaybookGraphSchema>['nodes'][number] {
  return { ...node, part: part && { ...part }, on_error: onError }
}

/** Returns an edge of the graph of a playbook as the API shows it. */
export function graphEdgeView(edge: GraphEdge): Static<typeof PlaybookGraphSchema>['edges'][number] {
  return { ...edge }
}

export function playbookGraphView({ name, digest, nodes, edges }: PlaybookGraph): Static<typeof PlaybookGraphSchema> {
  return { name, digest, nodes: nodes.map(graphNodeView), edges: edges.map(graphEdgeView) }
}
