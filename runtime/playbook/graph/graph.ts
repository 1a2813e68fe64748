import type { Plan, PlanStep } from '../plan.ts'
import { conditionText, detailOf } from './detail.ts'
import type { GraphEdge, GraphNode, NodePart, PlaybookGraph, SkillFacts } from './types.ts'

/**
 * If there are more nodes than this, the graph leaves out the steps of further sub-playbooks. It always has
 * the playbook's own steps, which are at most 3,000.
 */
const mostNodes = 1_500

/** An edge whose end is not known yet. */
type OpenEdge = Omit<GraphEdge, 'to'>

/** The place of a list of steps. */
interface Within {
  readonly prefix: string
  readonly parent: string | null
  readonly part: GraphNode['part']
  /** The sub-playbook that the steps are written in. */
  readonly playbook: string | null
}

/**
 * Returns a plan as a graph. Sub-playbooks are shown inside the steps that run them.
 * @param skillOf the loaded skills
 */
export function graphOf(plan: Plan, skillOf: SkillFacts): PlaybookGraph {
  const drawing = new Drawing(skillOf)
  const start: OpenEdge = { from: null, kind: 'next', label: null, index: null }
  const ends = drawing.steps(plan.steps, [start], { prefix: '', parent: null, part: null, playbook: null })
  return { name: plan.name, digest: plan.digest, nodes: drawing.nodes, edges: [...drawing.edges, ...ends.map((edge) => ({ ...edge, to: null }))] }
}

/** Returns the address of the node of a step in a run. Ids of steps never begin with a digit, so a number is an iteration. */
export function nodeOf(address: string): string {
  return address.replace(/(?<=\/)\d+(?=\/|$)/g, '*')
}

class Drawing {
  readonly nodes: GraphNode[] = []
  readonly edges: GraphEdge[] = []
  readonly #skillOf: SkillFacts

  constructor(skillOf: SkillFacts) {
    this.#skillOf = skillOf
  }

  /**
   * Draws steps one after the other.
   * @param open the edges that lead to the first of them
   * @returns the edges that lead to what follows
   */
  steps(steps: readonly PlanStep[], open: readonly OpenEdge[], within: Within): readonly OpenEdge[] {
    let ends = open
    for (const step of steps) {
      const address = within.prefix === '' ? step.id : `${within.prefix}/${step.id}`
      for (const edge of ends) this.edges.push({ ...edge, to: address })
      ends = this.#step(step, address, within)
    }
    return ends
  }

  #step(step: PlanStep, address: string, within: Within): readonly OpenEdge[] {
    const collapsed = step.kind === 'playbook' && this.nodes.length + step.playbook.steps.length > mostNodes
    this.nodes.push(this.#node(step, address, collapsed, within))
    const ends = [...this.#inside(step, address, within, collapsed), ...around(step, address)]
    if (typeof step.onError === 'string') return ends
    const handled = this.steps(step.onError, [edge(address, 'on_error', 'on error')], {
      ...within,
      prefix: `${address}/on_error`,
      parent: address,
      part: { of: 'on_error', name: 'on error' },
    })
    return [...ends, ...handled]
  }

  #inside(step: PlanStep, address: string, { playbook }: Within, collapsed: boolean): readonly OpenEdge[] {
    const inside = (steps: readonly PlanStep[], first: OpenEdge, of: NodePart, more: Partial<Within> = {}): readonly OpenEdge[] =>
      this.steps(steps, [first], { prefix: address, parent: address, part: { of, name: first.label ?? of }, playbook, ...more })
    switch (step.kind) {
      case 'if':
        return [...inside(step.then, edge(address, 'then', 'then'), 'then'), ...inside(step.else, edge(address, 'else', 'else'), 'else')]
      case 'switch': {
        const ends = step.cases.flatMap(({ when, steps }, index) =>
          inside(steps, { ...edge(address, 'case', when === null ? 'default' : conditionText(when)), index }, 'case'),
        )
        return step.cases.some(({ when }) => when === null) ? ends : [...ends, edge(address, 'no_case', 'no case')]
      }
      case 'parallel':
        return step.branches.flatMap(({ name, steps }) => inside(steps, edge(address, 'branch', name), 'branch', { prefix: `${address}/${name}` }))
      case 'foreach':
        // The edge to the next step begins at the loop itself, not at the last step of an iteration.
        inside(step.steps, edge(address, 'each', step.as), 'each', { prefix: `${address}/*` })
        return [edge(address, 'next')]
      case 'playbook':
        if (!collapsed) inside(step.playbook.steps, edge(address, 'steps'), 'steps', { playbook: step.playbook.name })
        return [edge(address, 'next')]
      case 'stop':
        // In a sub-playbook, a `stop` ends only the sub-playbook.
        if (playbook === null) this.edges.push({ ...edge(address, 'stop'), to: null })
        return []
      case 'skill':
      case 'set':
      case 'script':
      case 'case':
      case 'wait':
      case 'approve':
        return [edge(address, 'next')]
    }
  }

  #node(step: PlanStep, address: string, collapsed: boolean, { parent, part, playbook }: Within): GraphNode {
    const called = step.kind === 'skill' ? step : step.kind === 'wait' && step.wait.kind === 'poll' ? step.wait.poll : null
    const skill = called && this.#skillOf(called.integration, called.skill)
    return {
      ...{ address, parent, part, playbook, collapsed },
      id: step.id,
      kind: step.kind,
      title: step.kind === 'playbook' ? step.playbook.name : (skill?.document.title ?? null),
      skill: called && `${called.integration}.${called.skill}`,
      impact: skill?.impact ?? null,
      slot: called?.slot ?? null,
      line: step.at.line,
      condition: step.condition && conditionText(step.condition),
      detail: detailOf(step),
      onError: typeof step.onError === 'string' ? step.onError : 'steps',
    }
  }
}

/** Returns the edges past a step that has no edge `next`. The run takes one if the step is skipped, or fails and the run goes on. */
function around({ kind, condition, onError }: PlanStep, address: string): readonly OpenEdge[] {
  const leadsOn = kind !== 'if' && kind !== 'switch' && kind !== 'parallel'
  if (leadsOn && kind !== 'stop') return []
  const skipped = condition ? [edge(address, 'skipped', 'skipped')] : []
  return onError === 'continue' && !leadsOn ? [...skipped, edge(address, 'on_error', 'on error')] : skipped
}

function edge(from: string, kind: GraphEdge['kind'], label: string | null = null): OpenEdge {
  return { from, kind, label, index: null }
}
