import type { Decision, Failure, Json, Run } from '../domain/index.ts'
import { protectedAt, type RunObserver, type StepView } from '../engine/index.ts'
import { WorkBudget } from '../expressions/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import type { CallFacts, RunFacts } from './facts.ts'
import type { Turn } from './for-each.ts'
import type { GroupedStep } from './grouped.ts'
import { type Shown, shownOf } from './shown.ts'
import type { RetracedStep, StepKind, Why } from './types.ts'
import { inputOf, whyEntered, whyLeftOut, whyPolled, whyWaits } from './why.ts'

/**
 * Work units for all steps of one page, about 200 ms. Beyond that, steps show no inputs and no explanations
 * of conditions.
 */
const mostOfPage = 20_000_000
/** Work units for one step, about 40 ms. The event loop is blocked for that time. */
const mostOfStep = 4_000_000

interface Looked {
  readonly step: PlanStep
  readonly view: StepView
  readonly input: Json | undefined
  why: readonly Why[]
  output: Json | undefined
  failure: Failure | null
  handled: boolean
}

/** Records the inputs, outputs and decisions of some of the steps that a replay reaches. */
export class Details implements RunObserver {
  readonly #wanted: ReadonlySet<string>
  readonly #facts: RunFacts
  readonly #turn: Turn
  readonly #looked = new Map<string, Looked>()
  readonly #work = new WorkBudget(mostOfPage)

  /**
   * @param wanted the addresses of the steps to record
   * @param turn the replay waits for it before each step
   */
  constructor(wanted: Iterable<string>, facts: RunFacts, turn: Turn) {
    this.#wanted = new Set(wanted)
    this.#facts = facts
    this.#turn = turn
  }

  entered(address: string, step: PlanStep, view: StepView): void | Promise<void> {
    if (this.#wanted.has(address)) {
      // Evaluate now, because later steps change these values.
      const { why, input } = this.#working((work) => {
        const decided = whyEntered(step, view, work)
        const skipped = decided.some(({ of, holds }) => of === 'if' && holds === false)
        return { why: decided, input: skipped ? undefined : inputOf(step, view, work) }
      })
      this.#looked.set(address, { step, view, input, why, output: undefined, failure: null, handled: false })
    }
    return this.#turn() ?? undefined
  }

  failed(address: string, step: PlanStep, failure: Failure): void {
    const looked = this.#looked.get(address)
    if (!looked) return
    looked.failure = failure
    looked.handled = step.onError !== 'fail'
    this.#addLastPoll(address, looked)
  }

  left(address: string, step: PlanStep, left: Json, why: string | null): void {
    const looked = this.#looked.get(address)
    if (!looked) return
    const { output } = left as { readonly output?: Json }
    // A `case` step and a plain wait have no output.
    const leaves = step.kind !== 'case' && (step.kind !== 'wait' || step.wait.kind === 'poll')
    looked.output = leaves ? output : undefined
    if (why !== null) looked.why = [...looked.why, whyLeftOut(why)]
    if (step.kind === 'wait' && leaves && output !== undefined)
      looked.why = [...looked.why, ...this.#working((work) => whyPolled(step, looked.view.context, output, work))]
  }

  /** Does work for one step within the rest of the page's budget. */
  #working<T>(look: (work: WorkBudget) => T): T {
    const work = new WorkBudget(Math.min(mostOfStep, this.#work.left))
    const found = look(work)
    this.#work.spend(work.spent)
    return found
  }

  /** Explains the `until` condition of a poll that has not ended well, by its last answer. */
  #addLastPoll(address: string, looked: Looked): void {
    const { step, view } = looked
    if (step.kind !== 'wait' || looked.why.some(({ of }) => of === 'until')) return
    const last = this.#facts.polls(address).findLast((poll) => this.#facts.calls.get(poll)?.outcome === 'done')
    const output = last === undefined ? null : this.#facts.calls.get(last)?.output
    if (!output || !('value' in output)) return
    looked.why = [...looked.why, ...this.#working((work) => whyPolled(step, view.context, output.value, work))]
  }

  /** Returns the whole input and output of a step. Null: it was not recorded. */
  values(address: string): { readonly input: Json | undefined; readonly output: Json | undefined } | null {
    const looked = this.#looked.get(address)
    return looked ? { input: looked.input, output: looked.output } : null
  }

  /** @param most characters of each value */
  view({ address, state, iterations, unlisted, alike }: GroupedStep, run: Run, decisions: readonly Decision[], most: number): RetracedStep {
    const facts = this.#facts
    const looked = this.#looked.get(address)
    if (looked && state === 'waiting') this.#addLastPoll(address, looked)
    const call = facts.calls.get(address) ?? null
    const failure = looked?.failure ?? call?.failure ?? (run.failure?.step === address ? run.failure : null)
    return {
      ...{ address, state, iterations, unlisted, alike },
      ...(looked ? ofStep(looked, run) : ofJournal(address, facts)),
      target: call?.write?.target ?? protectedTarget(address, facts),
      began: facts.beganAt(address),
      ended: state === 'waiting' || state === 'under_way' ? null : facts.endedAt(address),
      tries: call?.tries ?? 0,
      attempts: call?.attempts ?? [],
      input: looked ? shownOf(looked.input, most) : recordedInput(call, most),
      output: looked && looked.output !== undefined ? shownOf(looked.output, most) : recordedOutput(call, most),
      failure: state === 'failed' ? failure : null,
      handled: looked?.handled ?? false,
      why: looked ? [...looked.why, ...whyWaiting(looked.step, address, facts)] : [],
      decisions,
      warnings: call?.warnings ?? [],
    }
  }
}

function whyWaiting(step: PlanStep, address: string, { decided }: RunFacts): Why[] {
  if (step.kind !== 'wait') return []
  const until = decided.get(`${address}#until`)
  return whyWaits(step, typeof until === 'number' ? until : null)
}

type OfStep = Pick<RetracedStep, 'kind' | 'playbook' | 'line' | 'skill' | 'connection'>

function ofStep({ step, view: { playbooks, connection } }: Looked, { pins }: Run): OfStep {
  const playbook = playbooks.at(-1) ?? null
  const called = step.kind === 'skill' ? step : step.kind === 'wait' && step.wait.kind === 'poll' ? step.wait.poll : null
  return {
    kind: step.kind,
    playbook: playbook === pins.playbook.name ? null : playbook,
    line: step.at.line,
    skill: called && `${called.integration}.${called.skill}`,
    connection: called && (connection(called.slot)?.instance ?? null),
  }
}

/** Describes a step that the replay did not reach, or one call of a poll. */
function ofJournal(address: string, facts: RunFacts): OfStep {
  const write = facts.calls.get(address)?.write ?? null
  const kind: StepKind = /\/\d+$/.test(address) && facts.traced(address.slice(0, address.lastIndexOf('/'))) ? 'poll' : 'unknown'
  return { kind, playbook: null, line: null, skill: write?.skill ?? null, connection: write?.connection.instance ?? null }
}

function protectedTarget(address: string, facts: RunFacts): string | null {
  const left = facts.decided.get(protectedAt(address)) as { readonly target?: string } | undefined
  return left?.target ?? null
}

function recordedInput(call: CallFacts | null, most: number): Shown | null {
  return call?.write ? recorded(call.write.input, most) : null
}

function recordedOutput(call: CallFacts | null, most: number): Shown | null {
  return call?.output ? recorded(call.output, most) : null
}

/** Shows a recorded value. One that is stored outside the journal is long, so the list shows none of it. */
function recorded(output: RecordedValue, most: number): Shown | null {
  return 'value' in output ? shownOf(output.value, most) : { kind: 'cut', beginning: '' }
}

type RecordedValue = NonNullable<CallFacts['output']>
