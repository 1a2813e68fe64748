import type { RunStepView } from '../../runtime/api/index.ts'
import type { Graph, GraphNode } from './shape.ts'

type State = RunStepView['state']

/** The states of steps for people. */
export const stateWords: Readonly<Record<State, string>> = {
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
  waiting: 'waiting',
  under_way: 'under way',
  in_doubt: 'in doubt',
  interrupted: 'interrupted',
}

/** The states, most urgent first. */
const order: readonly State[] = ['in_doubt', 'failed', 'waiting', 'under_way', 'interrupted', 'skipped', 'done']

const kindWords: Readonly<Record<GraphNode['kind'], string>> = {
  skill: 'call',
  set: 'set variables',
  if: 'if',
  switch: 'switch',
  foreach: 'loop',
  parallel: 'parallel',
  playbook: 'sub-playbook',
  script: 'script',
  case: 'case',
  wait: 'wait',
  approve: 'approval',
  stop: 'stop',
}

/** What kind of step a node is. A call that changes something says so. */
export function kindOf({ kind, impact }: GraphNode): string {
  if (kind !== 'skill' || impact === null) return kindWords[kind]
  return impact === 'read' ? 'read' : impact === 'high' ? 'write, high impact' : 'write'
}

/** What a node does, in words. */
export function actOf({ title, detail, skill, kind }: GraphNode): string | null {
  return kind === 'wait' && skill !== null ? `${detail ?? ''} (${skill})` : (title ?? detail ?? skill)
}

/** The state of a node in a run, the most urgent one if a loop has several. `reached` false: the run did not reach it. Null: it is no run. */
export function stateOf(graph: Graph, node: GraphNode): { readonly state: State | 'not_reached'; readonly words: string } | null {
  if (!('known' in graph) || !('states' in node)) return null
  const states = order.flatMap((state) => (node.states[state] === undefined ? [] : [{ state, count: node.states[state] }]))
  const [first] = states
  if (!first) return { state: 'not_reached', words: 'not reached' }
  const words = states
    .map(({ state, count }) => (states.length === 1 && count === 1 ? stateWords[state] : `${count} ${stateWords[state]}`))
    .join(', ')
  return { state: first.state, words }
}

/** Everything about a node in one sentence, for screen readers. */
export function sentenceOf(graph: Graph, node: GraphNode): string {
  const parts = [`${node.id}, ${kindOf(node)}`, actOf(node), node.part && `in ${node.part.name}`, node.condition && `only if ${node.condition}`]
  const errors = { fail: null, continue: 'goes on after a failure', steps: 'handles failures' }[node.on_error]
  return [...parts, errors, stateOf(graph, node)?.words].filter(Boolean).join('; ')
}
