import type { Failure, Json, Run } from '../domain/index.ts'
import type { Observed, Retraced, RunObserver } from '../engine/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import type { RunFacts } from './facts.ts'
import { forEachWithTurns, type Turn } from './for-each.ts'
import type { StepState } from './step-state.ts'

/** A step of a run and its state. */
export interface OutlinedStep {
  readonly address: string
  readonly state: StepState
  /** Whether the replay reached it. If not, only the journal has it. */
  readonly reached: boolean
}

interface Seen {
  readonly step: PlanStep
  readonly order: number
  left: 'done' | 'failed' | 'skipped' | null
  failure: Failure | null
  /** The branch that an `if` or a `switch` took. Undefined until it has ended. Other steps have no branch. */
  branch: Json | undefined
}

/** Records which steps a replay reaches, and how each ends. */
export class Outline implements RunObserver {
  inputs: Readonly<Record<string, Json>> | null = null
  readonly #seen = new Map<string, Seen>()
  readonly #turn: Turn

  /** @param turn the replay waits for it before each step, so that it does not hold up others */
  constructor(turn: Turn) {
    this.#turn = turn
  }

  began({ inputs }: Observed): void {
    this.inputs = inputs
  }

  entered(address: string, step: PlanStep): void | Promise<void> {
    this.#seen.set(address, { step, order: this.#seen.size, left: null, failure: null, branch: undefined })
    return this.#turn() ?? undefined
  }

  failed(address: string, _step: PlanStep, failure: Failure): void {
    const seen = this.#seen.get(address)
    if (!seen) return
    seen.failure = failure
    seen.left = 'failed'
  }

  left(address: string, { kind }: PlanStep, left: Json): void {
    const seen = this.#seen.get(address)
    if (!seen) return
    const { status, output } = left as { readonly status: 'done' | 'failed' | 'skipped'; readonly output?: Json }
    seen.left = status
    if (kind === 'if' || kind === 'switch') seen.branch = output
  }

  /** Returns the branch that an `if` (true: then) or a `switch` (the index of the case) took. Undefined before it ends. */
  branchOf(address: string): Json | undefined {
    return this.#seen.get(address)?.branch
  }

  stopped(address: string): void {
    const seen = this.#seen.get(address)
    if (seen) seen.left = 'done'
  }

  /**
   * Returns the steps in the order of the playbook. Within loops they are in order of iteration. Steps that
   * only the journal has come last.
   */
  async steps(run: Run, facts: RunFacts, retraced: Retraced): Promise<readonly OutlinedStep[]> {
    const outlined = new Map<string, OutlinedStep>()
    const ordered = await inOrder(this.#certain(run, facts, retraced), this.#seen, this.#turn)
    await forEachWithTurns(ordered, this.#turn, (address) => {
      const seen = this.#seen.get(address)
      if (!seen) return
      outlined.set(address, { address, state: this.#stateOf(address, seen, run, facts), reached: true })
      if (seen.step.kind !== 'wait') return
      for (const poll of facts.polls(address)) outlined.set(poll, { address: poll, state: journalState(poll, run, facts), reached: true })
    })
    await forEachWithTurns([...facts.calls.keys(), ...facts.asked.keys()], this.#turn, (address) => {
      if (!outlined.has(address)) outlined.set(address, { address, state: journalState(address, run, facts), reached: false })
    })
    return [...outlined.values()]
  }

  /**
   * Returns the steps that the run itself has certainly reached. Some steps leave nothing in the journal. If
   * a run was ended from outside (by a limit, a cancellation or repeated process deaths), the replay may pass
   * such steps although the run never reached them.
   */
  #certain(run: Run, facts: RunFacts, retraced: Retraced): Iterable<string> {
    const other = divergence(run, retraced)
    if (other !== null) return [...this.#seen.keys()].filter((address) => address !== other)
    const same = retraced.kind === 'ended' && retraced.failure?.code === run.failure?.code && retraced.failure?.step === run.failure?.step
    if (run.state !== 'failed' || same) return this.#seen.keys()
    const addresses = [...this.#seen.keys()]
    const last = addresses.findLastIndex((address) => facts.traced(address) || address === run.failure?.step)
    return addresses.slice(0, last + 1)
  }

  #stateOf(address: string, { left }: Seen, run: Run, facts: RunFacts): StepState {
    if (left) return left
    if (run.endedAt !== null && run.failure?.step === address) return 'failed'
    return journalState(address, run, facts)
  }
}

/** Returns the step from which the replay differs from the run. Null: it does not differ. */
export function divergence(run: Run, retraced: Retraced): string | null {
  if (retraced.kind !== 'ended' || retraced.failure?.code !== 'journal_mismatch' || run.failure?.code === 'journal_mismatch') return null
  return retraced.failure.step
}

/** Returns the state of a step that has not ended, or that only the journal has. */
function journalState(address: string, { state }: Run, facts: RunFacts): StepState {
  const call = facts.calls.get(address)
  if (call && call.outcome !== 'sent') return call.outcome
  if (call && state !== 'running') {
    const effect = call.attempts.at(-1)?.effect ?? null
    return effect === null || effect === 'unknown' ? 'in_doubt' : state === 'waiting' ? 'waiting' : 'interrupted'
  }
  if (state === 'waiting') return 'waiting'
  return state === 'running' ? 'under_way' : 'interrupted'
}

interface Branch {
  readonly name: string
  /** Null: no step has this address. */
  address: string | null
  readonly inner: Map<string, Branch>
}

/**
 * Sorts addresses as a tree. A step comes before the steps inside it. Iterations are in order of their
 * number, others in the order of the replay.
 */
async function inOrder(reached: Iterable<string>, seen: ReadonlyMap<string, Pick<Seen, 'step'>>, turn: Turn): Promise<readonly string[]> {
  const root: Branch = { name: '', address: null, inner: new Map() }
  const all = new Map<string, Branch>([['', root]])
  await forEachWithTurns(reached, turn, (address) => void place(all, address, true))
  const ordered: string[] = []
  await forEachWithTurns(depthFirst(root, seen), turn, ({ address }) => {
    if (address !== null) ordered.push(address)
  })
  return ordered
}

function* depthFirst(root: Branch, seen: ReadonlyMap<string, Pick<Seen, 'step'>>): Generator<Branch> {
  const open: Branch[] = [root]
  for (let next = open.pop(); next; next = open.pop()) {
    yield next
    const step = next.address === null ? undefined : seen.get(next.address)?.step
    for (const child of children(next, step).toReversed()) open.push(child)
  }
}

function place(all: Map<string, Branch>, address: string, isStep: boolean): Branch {
  const known = all.get(address)
  if (known) {
    if (isStep) known.address = address
    return known
  }
  const cut = address.lastIndexOf('/')
  const name = address.slice(cut + 1)
  const made: Branch = { name, address: isStep ? address : null, inner: new Map() }
  all.set(address, made)
  place(all, address.slice(0, Math.max(cut, 0)), false).inner.set(name, made)
  return made
}

function children({ inner }: Branch, step: PlanStep | undefined): readonly Branch[] {
  const all = [...inner.values()]
  if (step?.kind === 'foreach') return all.toSorted((one, other) => rank(one.name) - rank(other.name))
  if (step?.kind !== 'parallel') return all
  const order = new Map(step.branches.map(({ name }, index) => [name, index]))
  return all.toSorted((one, other) => (order.get(one.name) ?? order.size) - (order.get(other.name) ?? order.size))
}

/** Ranks the iterations of a loop by number. The steps of its `on_error` come after them. */
function rank(name: string): number {
  return /^\d+$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY
}
