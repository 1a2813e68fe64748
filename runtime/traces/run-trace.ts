import type { Alert, Failure, Json, Millis, Run } from '../domain/index.ts'
import type { RunEnd, RunTrace, SkillCall, StepView } from '../engine/index.ts'
import type { PlanStep } from '../playbook/index.ts'
import type { CallResult } from '../plugin/index.ts'
import type { Span } from './span.ts'

/** The most spans of one execution of a run. A loop may have thousands of steps, and nobody can read that many. */
const mostSpans = 500

/** What a trace needs: the time, ids, and a place for its spans. */
export interface TraceNeeds {
  readonly now: () => Millis
  readonly spanId: () => string
  readonly add: (span: Span) => void
  /** The trace is over. */
  readonly over: () => void
}

interface OpenStep {
  readonly id: string
  readonly began: Millis
  readonly step: PlanStep
  readonly view: StepView
  error: string | null
  /** It has a part that is in the trace. */
  kept: boolean
}

/**
 * The spans of one execution of a run: itself, its steps and their calls. Steps that only repeat what an earlier execution did are left out,
 * because they are in its trace.
 */
export class ExecutionTrace implements RunTrace {
  readonly #needs: TraceNeeds
  readonly #run: Run
  readonly #alert: Alert
  readonly #ids: { readonly trace: string; readonly parent: string; readonly own: string }
  readonly #began: Millis
  readonly #open = new Map<string, OpenStep>()
  #made = 0
  #leftOut = 0
  #isOver = false

  constructor(needs: TraceNeeds, run: Run, alert: Alert, ids: { readonly trace: string; readonly parent: string }) {
    this.#needs = needs
    this.#run = run
    this.#alert = alert
    this.#ids = { ...ids, own: needs.spanId() }
    this.#began = needs.now()
  }

  entered(address: string, step: PlanStep, view: StepView): void {
    if (this.#isOver) return
    if (this.#isFull) this.#leftOut += 1
    else this.#open.set(address, { id: this.#needs.spanId(), began: this.#needs.now(), step, view, error: null, kept: false })
  }

  failed(address: string, step: PlanStep, { code }: Failure): void {
    const open = this.#open.get(address)
    if (open) open.error = code
    if (step.onError === 'fail') this.#close(address, 'failed')
  }

  left(address: string, _step: PlanStep, left: Json): void {
    this.#close(address, (left as { readonly status: string }).status)
  }

  stopped(address: string): void {
    this.#close(address, 'done')
  }

  /** A call of a skill has ended. The address may be that of a part of a step, such as its probe. */
  called({ step = '', plugin, skill, connection }: SkillCall, began: Millis, result: CallResult): void {
    if (this.#isOver) return
    if (this.#isFull) {
      this.#leftOut += 1
      return
    }
    this.#made += 1
    const parent = this.#around(step.replace(/#.*$/, ''))
    if (parent) parent.kept = true
    const name = `${plugin.id}.${skill.id}`
    this.#add(this.#needs.spanId(), parent?.id, {
      name: `call ${name}`,
      kind: 'calls',
      began,
      attributes: {
        'tocsin.step.address': step,
        'tocsin.skill': name,
        'tocsin.connection': connection.instance,
        'tocsin.call.effect': result.ok ? 'done' : result.effect,
      },
      error: result.ok ? null : result.failure.code,
    })
  }

  over({ state, code }: RunEnd): void {
    if (this.#isOver) return
    for (const address of [...this.#open.keys()].reverse()) this.#close(address, state === 'waiting' ? 'waiting' : 'cut')
    this.#isOver = true
    const { pins, id, attempt, epoch, caseId, undo } = this.#run
    const { alertId, type, organizationCode } = this.#alert
    this.#add(this.#ids.own, this.#ids.parent, {
      name: undo ? 'undo' : `run ${pins.playbook.name}`,
      kind: 'inside',
      began: this.#began,
      attributes: {
        'tocsin.alert.id': alertId,
        'tocsin.alert.type': type,
        'tocsin.organization': organizationCode,
        'tocsin.case.id': caseId,
        'tocsin.run.id': id,
        'tocsin.run.attempt': attempt,
        'tocsin.run.execution': epoch,
        'tocsin.run.state': state,
        'tocsin.spans.left_out': this.#leftOut > 0 ? this.#leftOut : null,
      },
      error: code,
    })
    this.#needs.over()
  }

  get #isFull(): boolean {
    return this.#made + this.#open.size >= mostSpans
  }

  #close(address: string, status: string): void {
    const open = this.#open.get(address)
    if (!open) return
    this.#open.delete(address)
    if (open.view.replaying() && !open.kept) return
    const parent = this.#around(address.slice(0, Math.max(0, address.lastIndexOf('/'))))
    if (parent) parent.kept = true
    this.#made += 1
    const { step } = open
    this.#add(open.id, parent?.id, {
      name: `step ${step.id}`,
      kind: 'inside',
      began: open.began,
      attributes: {
        'tocsin.step.address': address,
        'tocsin.step.kind': step.kind,
        'tocsin.step.status': status,
        'tocsin.skill': step.kind === 'skill' ? `${step.integration}.${step.skill}` : null,
      },
      error: open.error,
    })
  }

  /** Returns the innermost open step at or around an address. */
  #around(address: string): OpenStep | undefined {
    for (let at = address; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const open = this.#open.get(at)
      if (open) return open
    }
    return undefined
  }

  #add(id: string, parent: string | undefined, span: Omit<Span, 'trace' | 'id' | 'parent' | 'ended'>): void {
    this.#needs.add({ trace: this.#ids.trace, id, parent: parent ?? this.#ids.own, ended: this.#needs.now(), ...span })
  }
}
