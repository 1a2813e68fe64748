import type { Json } from '../../../domain/index.ts'
import type { Context } from '../../../expressions/index.ts'
import type { BranchStop } from './branch-stop.ts'
import { BackgroundWork } from './run-concurrently.ts'
import type { Variables } from './variables.ts'

/** The surroundings of a step: the prefix of its address, and what its templates see. */
export interface Frame {
  readonly prefix: string
  readonly context: Context
  /** The `steps` root. Gets each step's result. */
  readonly steps: Record<string, Json>
  readonly vars: Variables
  /** The `case` root, with the run's own changes. */
  readonly case: Variables
  readonly branchStop: BranchStop
  readonly background: BackgroundWork
}

type Parts = Omit<Frame, 'context'>

/** @param base what templates see besides `steps`, `vars` and `case` */
function frameOf(base: Context, parts: Parts): Frame {
  const { steps, vars } = parts
  return { ...parts, context: { ...base, steps, vars: vars.values, case: parts.case.values } }
}

/**
 * Returns the frame of a playbook's own steps.
 * @param branchStop keeps them from beginning (`bodyStop`)
 */
export function bodyFrame(prefix: string, base: Context, vars: Variables, view: Variables, branchStop: BranchStop): Frame {
  return frameOf(base, { prefix, steps: {}, vars, case: view, branchStop, background: new BackgroundWork() })
}

/** Creates a frame for steps inside a step that runs them once. Their results are visible to all later steps. */
export function nestedFrame(frame: Frame, prefix: string): Frame {
  return { ...frame, prefix }
}

/** Creates a frame for one iteration of a sequential loop. */
export function iterationFrame(frame: Frame, prefix: string, item: Context): Frame {
  return frameOf({ ...frame.context, ...item }, { ...frame, prefix, steps: { ...frame.steps } })
}

/**
 * Creates a frame for steps that run concurrently with others. They see what exists when they begin. Their
 * changes become visible when they are merged.
 */
export function concurrentFrame(frame: Frame, prefix: string, branchStop: BranchStop, more: Context = {}): Frame {
  const copies = { steps: { ...frame.steps }, vars: frame.vars.copy(), case: frame.case.copy() }
  return frameOf({ ...frame.context, ...more }, { prefix, branchStop, background: frame.background, ...copies })
}

/** What concurrent steps have changed, without everything else that they saw. */
export interface Changes {
  readonly vars: Readonly<Record<string, Json>>
  readonly case: Readonly<Record<string, Json>>
}

export function changesOf(beside: Frame): Changes {
  return { vars: beside.vars.changes, case: beside.case.changes }
}

/** Merges the changes of concurrent steps. */
export function mergeChanges(frame: Frame, changes: Changes): void {
  frame.vars.set(changes.vars)
  frame.case.set(changes.case)
}

export function addressIn(frame: Frame, id: string): string {
  return frame.prefix === '' ? id : `${frame.prefix}/${id}`
}
