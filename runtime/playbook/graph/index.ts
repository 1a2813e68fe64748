/** Playbooks as graphs: steps as nodes, and the ways between them as edges. */
export { graphOf, nodeOf } from './graph.ts'
export { skillFacts } from './skills.ts'
export type { GraphEdge, GraphNode, PlaybookGraph } from './types.ts'
