import type { Plan, PlanStep } from '../plan.ts'

/** A step of a playbook. */
export interface GraphNode {
  /** The step's address in each run, with `*` in place of the number of an iteration: `each_user/*\/suspend`. */
  readonly address: string
  /** The address of the step that contains it; null: none does. */
  readonly parent: string | null
  /** The part of the parent that it is in: `then`, `else`, `case`, `each`, `steps`, `on_error` or a branch. Null: it has no parent. */
  readonly part: { readonly of: NodePart; readonly name: string } | null
  readonly id: string
  readonly kind: PlanStep['kind']
  /** The title of its skill, or the name of the playbook that it runs. Null: it has neither. */
  readonly title: string | null
  /** `<integration>.<skill>`: of a call, or of a wait that polls. */
  readonly skill: string | null
  readonly impact: 'read' | 'write' | 'high' | null
  /** The slot of its connection. */
  readonly slot: string | null
  /** The sub-playbook that it is written in; null: the playbook itself. */
  readonly playbook: string | null
  /** The line in that playbook's text, from 1. */
  readonly line: number
  /** Its `if`, as text for people. */
  readonly condition: string | null
  /** What it decides, repeats or waits for, as text for people. */
  readonly detail: string | null
  readonly onError: 'fail' | 'continue' | 'steps'
  /** True: it runs a playbook whose steps are left out, because the graph would have too many nodes. */
  readonly collapsed: boolean
}

export type NodePart = 'then' | 'else' | 'case' | 'branch' | 'each' | 'steps' | 'on_error'

/** A way from one step to the next. */
export interface GraphEdge {
  /** The address of a node. Null: the beginning. */
  readonly from: string | null
  /** The address of a node. Null: the end of the run. */
  readonly to: string | null
  /**
   * `next`: the following step. `each`: into a loop. `steps`: into a sub-playbook. `stop`: the run ends here.
   * `no_case`: no case of a `switch` held. `skipped`: past an `if`, `switch`, `parallel` or `stop` whose own `if` did not
   * hold. Other steps use `next` for that.
   */
  readonly kind: 'next' | 'then' | 'else' | 'case' | 'no_case' | 'branch' | 'each' | 'steps' | 'on_error' | 'skipped' | 'stop'
  /** Text for people. Null if the kind says everything. */
  readonly label: string | null
  /** For a case: its index, from 0. */
  readonly index: number | null
}

export interface PlaybookGraph extends Pick<Plan, 'name' | 'digest'> {
  /** In the order of the text. The steps inside a step follow right after it. */
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

/** What a graph shows about a skill. Null: the skill is not known. */
export type SkillFacts = (
  integration: string,
  skill: string,
) => { readonly document: { readonly title: string }; readonly impact: 'read' | 'write' | 'high' } | null
