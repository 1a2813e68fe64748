import type { Json } from '../../../domain/index.ts'
import type { Context } from '../../../expressions/index.ts'
import { BranchStop } from './branch-stop.ts'
import { BackgroundWork } from './run-concurrently.ts'
import type { Variables } from './variables.ts'

/** Where a step stands: the prefix of its address, and what its templates see. */
export interface Frame {
  readonly prefix: string
  readonly context: Context
  /** The `steps` root, filled as steps end. */
  readonly steps: Record<string, Json>
  readonly vars: Variables
  /** The `case` root, as the run itself has changed it. */
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
 * The frame of a playbook's own steps.
 * @param ahead whether something that an earlier life of the run began in it has not been come past yet
 * @param outer of the playbook that it is part of; null for the run's own
 */
export function bodyFrame(
  prefix: string,
  base: Context,
  vars: Variables,
  view: Variables,
  ahead: () => boolean,
  outer: BranchStop | null = null,
): Frame {
  return frameOf(base, { prefix, steps: {}, vars, case: view, branchStop: new BranchStop(outer, ahead), background: new BackgroundWork() })
}

/** For the lists of steps in a step that runs them once: what they leave is there for all that come after. */
export function nestedFrame(frame: Frame, prefix: string): Frame {
  return { ...frame, prefix }
}

/** For one iteration of a loop whose iterations follow each other. */
export function iterationFrame(frame: Frame, prefix: string, item: Context): Frame {
  return frameOf({ ...frame.context, ...item }, { ...frame, prefix, steps: { ...frame.steps } })
}

/** For what runs beside others: it sees what there is when it begins, and what it changes is seen when it is taken over. */
export function concurrentFrame(frame: Frame, prefix: string, branchStop: BranchStop, more: Context = {}): Frame {
  const copies = { steps: { ...frame.steps }, vars: frame.vars.copy(), case: frame.case.copy() }
  return frameOf({ ...frame.context, ...more }, { prefix, branchStop, background: frame.background, ...copies })
}

/** What parallel steps have changed, without everything else that they saw. */
export interface Changes {
  readonly vars: Readonly<Record<string, Json>>
  readonly case: Readonly<Record<string, Json>>
}

export function changesOf(beside: Frame): Changes {
  return { vars: beside.vars.changes, case: beside.case.changes }
}

/** Takes over what steps beside these have changed. */
export function mergeChanges(frame: Frame, changes: Changes): void {
  frame.vars.set(changes.vars)
  frame.case.set(changes.case)
}

export function addressIn(frame: Frame, id: string): string {
  return frame.prefix === '' ? id : `${frame.prefix}/${id}`
}
