import type { Run } from '../domain/index.ts'
import { nodeOf } from '../playbook/index.ts'
import { forEachWithTurns, type Turn } from './for-each.ts'
import type { LitGraph, LitNode } from './lit-graph.ts'
import type { OutlinedStep } from './outline.ts'
import type { StepState } from './step-state.ts'

/**
 * Why a write of the playbook was not sent, or did not succeed.
 * - `itself`: the write itself failed, was skipped, or waits.
 * - `branch`: an `if` or a `switch` took another way.
 * - `skipped`: a step that contains it was skipped.
 * - `no_items`: the loop that contains it had no items.
 * - `no_error`: it is in an `on_error`, and nothing failed.
 * - `stopped`: a `stop` before it ended the run.
 * - `failed`: a step before it failed.
 * - `not_yet`: the run has not come so far.
 * - `ended`: the run ended before it.
 */
type WriteCause = 'itself' | 'branch' | 'skipped' | 'no_items' | 'no_error' | 'stopped' | 'failed' | 'not_yet' | 'ended'

/** What became of one write of a playbook in a run. */
export interface ExplainedWrite {
  readonly node: LitNode
  /** Null if the run did not reach it. */
  readonly state: StepState | null
  /** How many steps of the run have this state. */
  readonly count: number
  /** Null if it was done. */
  readonly cause: WriteCause | null
  /** The addresses of the steps that decided it, the closest first. */
  readonly because: readonly string[]
}

/** The most entries of an explanation. */
const mostWrites = 60

/** Explains what became of each write of a run's playbook. */
export async function explainWrites(
  graph: LitGraph,
  steps: readonly OutlinedStep[],
  run: Run,
  turn: Turn,
): Promise<{ readonly writes: readonly ExplainedWrite[]; readonly more: boolean }> {
  const explaining = new Explaining(graph, steps, run, turn)
  const nodes = graph.nodes.filter(({ kind, impact }) => kind === 'skill' && impact !== null && impact !== 'read')
  const writes: ExplainedWrite[] = []
  for (const node of nodes) {
    if (writes.length > mostWrites) break
    writes.push(...(await explaining.of(node)))
  }
  return { writes: writes.slice(0, mostWrites), more: writes.length > mostWrites }
}

type Reason = Pick<ExplainedWrite, 'cause' | 'because'>

class Explaining {
  readonly #graph: LitGraph
  readonly #steps: readonly OutlinedStep[]
  readonly #run: Run
  readonly #turn: Turn
  readonly #nodes: ReadonlyMap<string, LitNode>
  /** Why the run did not go on after a node, by its address. */
  readonly #ends = new Map<string, Reason>()

  constructor(graph: LitGraph, steps: readonly OutlinedStep[], run: Run, turn: Turn) {
    this.#graph = graph
    this.#steps = steps
    this.#run = run
    this.#turn = turn
    this.#nodes = new Map(graph.nodes.map((node) => [node.address, node]))
  }

  async of(node: LitNode): Promise<readonly ExplainedWrite[]> {
    const states = Object.entries(node.states) as [StepState, number][]
    if (states.length === 0) return [{ node, state: null, count: 0, ...(await this.#unreached(node)) }]
    return states.map(([state, count]) => {
      const first = node.firsts[state]
      return { node, state, count, cause: state === 'done' ? null : ('itself' as const), because: first === undefined ? [] : [first] }
    })
  }

  async #unreached(node: LitNode): Promise<Reason> {
    const parent = node.parent === null ? undefined : this.#nodes.get(node.parent)
    if (parent) {
      if (parent.step === null) return this.#unreached(parent)
      if (Object.keys(parent.states).every((state) => state === 'skipped')) return { cause: 'skipped', because: [parent.step] }
    }
    const before = this.#lastBefore(node)
    return before ? this.#endedAt(before) : this.#notEntered(node, parent)
  }

  /** Returns the last step before this one, in the same list, that the run has reached. */
  #lastBefore({ address, parent, part }: LitNode): LitNode | undefined {
    const beside = this.#graph.nodes.filter((one) => one.parent === parent && one.part?.of === part?.of && one.part?.name === part?.name)
    const own = beside.findIndex((one) => one.address === address)
    return beside.slice(0, own).findLast(({ step }) => step !== null)
  }

  async #notEntered({ part }: LitNode, parent: LitNode | undefined): Promise<Reason> {
    if (!parent || parent.step === null) return { cause: this.#unfinished(), because: [] }
    if (part?.of === 'on_error') return { cause: 'no_error', because: [parent.step] }
    if (parent.firsts.done === undefined) return this.#endedAt(parent)
    return { cause: part?.of === 'each' ? 'no_items' : 'branch', because: [parent.firsts.done] }
  }

  async #endedAt(node: LitNode): Promise<Reason> {
    const known = this.#ends.get(node.address) ?? (await this.#findEnd(node))
    this.#ends.set(node.address, known)
    return known
  }

  /** Finds out why the run did not go on after a node that it has reached. */
  async #findEnd({ address }: LitNode): Promise<Reason> {
    let [stop, failed, open]: (string | undefined)[] = []
    await forEachWithTurns(this.#steps, this.#turn, (step) => {
      const own = nodeOf(step.address)
      if (own !== address && !own.startsWith(`${address}/`)) return
      if (step.state === 'done' && this.#nodes.get(own)?.kind === 'stop') stop = step.address
      if (step.state === 'failed') failed = step.address === this.#run.failure?.step ? step.address : (failed ?? step.address)
      if (step.state === 'waiting' || step.state === 'under_way' || step.state === 'in_doubt' || step.state === 'interrupted') open = step.address
    })
    if (stop !== undefined) return { cause: 'stopped', because: [stop, ...this.#conditionsAround(stop)] }
    if (failed !== undefined) return { cause: 'failed', because: [failed] }
    return { cause: this.#unfinished(), because: open === undefined ? [] : [open] }
  }

  /** Returns the addresses of the `if` and `switch` steps that led to a step, the closest first. */
  #conditionsAround(address: string): readonly string[] {
    const around: string[] = []
    for (let at = address; at.includes('/'); ) {
      at = at.slice(0, at.lastIndexOf('/'))
      const kind = this.#nodes.get(nodeOf(at))?.kind
      if (kind === 'if' || kind === 'switch') around.push(at)
    }
    return around.slice(0, 2)
  }

  #unfinished(): 'ended' | 'not_yet' {
    return this.#run.endedAt === null ? 'not_yet' : 'ended'
  }
}
