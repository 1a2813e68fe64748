import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import { keysOf } from '../../compile/index.ts'
import {
  type Branch,
  closingExpressions,
  type Expression,
  expressionsOf,
  listsOf,
  outlineOf,
  pollConditionOf,
  type StepNode,
  withNested,
} from '../document/index.ts'
import {
  assign,
  assume,
  become,
  type Cause,
  certain,
  factsWithout,
  join,
  opening,
  type Presence,
  presenceOf,
  type State,
  unreachable,
  withoutRoot,
} from './state.ts'

/** One expression, and the state in which it is evaluated. */
export interface Place {
  readonly expression: Expression
  /** Null if it is evaluated after the steps. */
  readonly step: StepNode | null
  readonly state: State
}

/** All paths through the steps of a playbook. */
export interface Flow {
  readonly steps: readonly StepNode[]
  readonly places: readonly Place[]
  /** The state in which each step starts, after its own `if` was true. */
  readonly entering: ReadonlyMap<StepNode, State>
  /** The state after the steps, wherever the run ended. */
  readonly closing: State
  /** The first unreachable step of each list, with the step before it. */
  readonly dead: readonly { readonly step: StepNode; readonly after: StepNode }[]
}

/** Follows the steps of a playbook on all paths. */
export function flowOf(root: Readonly<Record<string, Json>>): Flow {
  const walk = new FlowWalk()
  const steps = outlineOf(root['steps'], ['steps'])
  const end = walk.list(steps, opening())
  const closing = walk.stops.reduce((met, { state, path }) => join(met, state, { kind: 'stop', path }), end)
  for (const expression of closingExpressions(root)) walk.places.push({ expression, step: null, state: closing })
  return { steps, places: walk.places, entering: walk.entering, closing, dead: walk.dead }
}

class FlowWalk {
  readonly places: Place[] = []
  readonly entering = new Map<StepNode, State>()
  readonly dead: { readonly step: StepNode; readonly after: StepNode }[] = []
  /** The states in which the run may end early. The verdict is given there, too. */
  readonly stops: { readonly state: State; readonly path: DocumentPath }[] = []

  list(steps: readonly StepNode[], before: State): State {
    let state = before
    let last: StepNode | null = null
    let told = false
    for (const step of steps) {
      const after = this.#step(step, state)
      if (last !== null && before.reachable && !state.reachable && !told) {
        this.dead.push({ step, after: last })
        told = true
      }
      state = after
      last = step
    }
    return state
  }

  #step(step: StepNode, before: State): State {
    const { guard, onError } = step
    const name = `steps.${step.id}`
    if (guard !== null) this.#place(step, { form: 'condition', path: guard.path, value: guard.rule }, before)
    const entered = guard === null ? before : assume(before, guard.rule, true)
    this.entering.set(step, entered)
    for (const expression of expressionsOf(step)) this.#place(step, expression, entered)
    const until = pollConditionOf(step)
    // In this condition `output` is the answer of the call. Around it, a loop may have given its item that name.
    if (until !== null) this.#place(step, until, withoutRoot(entered, 'output'))
    const ran = this.#kind(step, entered)
    const done = become(ran, name, 'done')
    let after = done
    if (onError !== 'fail') {
      const cause: Cause = { kind: 'failed', path: step.path }
      const failed = become(midway(step, entered, ran), name, 'failed', cause)
      after = join(done, typeof onError === 'string' ? failed : this.list(onError.steps, failed), cause)
    }
    if (guard === null) return after
    const cause: Cause = { kind: 'skipped', path: guard.path }
    return join(after, become(assume(before, guard.rule, false), name, 'skipped', cause), cause)
  }

  #place(step: StepNode, expression: Expression, state: State): void {
    this.places.push({ expression, step, state })
  }

  #kind(step: StepNode, before: State): State {
    switch (step.kind) {
      case 'set':
        return assign(before, keysOf(step.value['set']))
      case 'stop':
        if (before.reachable) this.stops.push({ state: become(before, `steps.${step.id}`, 'absent'), path: step.path })
        return unreachable(before)
      case 'if':
      case 'switch':
        return this.#choice(step, before)
      case 'foreach':
        return this.#loop(step, before)
      case 'parallel':
        return this.#parallel(step, before)
      case 'unknown': {
        // Nobody knows what was meant, so every step inside may run.
        const inside = listsOf(step).map((list) => this.list(list.steps, before))
        return inside.reduce((met, state) => join(met, state, { kind: 'branch', path: step.path }), before)
      }
      default:
        return before
    }
  }

  /** Follows an `if` or `switch`. The cases of a `switch` are checked in order, and possibly none is true. */
  #choice(step: StepNode, before: State): State {
    let undecided = before
    let met = unreachable(before)
    for (const { when, steps, path } of step.branches) {
      const cause: Cause = { kind: 'branch', path: when?.path ?? path }
      if (when !== null) this.#place(step, { form: 'condition', path: when.path, value: when.rule }, undecided)
      met = join(met, this.list(steps, when === null ? undecided : assume(undecided, when.rule, true)), decided(step, cause))
      undecided = when === null ? unreachable(undecided) : assume(undecided, when.rule, false)
    }
    return join(met, undecided, decided(step, { kind: 'branch', path: step.path }))
  }

  #loop(step: StepNode, before: State): State {
    const body = step.branches[0]
    if (body === undefined) return before
    const cause: Cause = { kind: 'loop', path: step.path }
    const names = assigned([body])
    const settings = loosened(before, names, cause)
    const after = this.list(body.steps, settings)
    const { foreach } = step.value
    const surely = Array.isArray(foreach) && foreach.length > 0
    // The steps of a loop belong to its iterations. After the loop, only the variables that it set remain.
    let left = before.names
    for (const { key: name, own } of after.names.differences(before.names)) if (name.startsWith('vars.')) left = left.set(name, own)
    const ended: State = { ...settings, reachable: after.reachable, names: left }
    return surely ? ended : join(ended, before, cause)
  }

  #parallel(step: StepNode, before: State): State {
    const cause: Cause = { kind: 'parallel', path: step.path }
    const names = assigned(step.branches)
    const ends = step.branches.map(({ steps }) => this.list(steps, before))
    const { parallel } = step.value
    const all = !isObject(parallel) || parallel['join'] === undefined || parallel['join'] === 'all'
    let merged = before.names
    for (const end of ends) {
      for (const { key: name, own: presence } of end.names.differences(before.names))
        if (presence !== undefined) merged = merged.set(name, all && end.reachable ? presence : uncertain(presence, cause))
    }
    const reachable = before.reachable && (ends.length === 0 || ends.some((end) => end.reachable))
    return { ...before, reachable, names: merged, facts: factsWithout(before, pathsOf(names)) }
  }
}

/** Returns the cause of a branch: the condition of the whole step for `if`, of the case for `switch`. */
function decided(step: StepNode, cause: Cause): Cause {
  return step.kind === 'if' ? { kind: 'branch', path: [...step.path, 'if'] } : cause
}

/** Returns the state after a step failed. Each step inside it may or may not have run. */
function midway(step: StepNode, before: State, after: State): State {
  const cause: Cause = { kind: 'failed', path: step.path }
  if (step.branches.length === 0) return before
  const inside = [...withNested(step.branches.flatMap(({ steps }) => steps))].map(({ id }) => `steps.${id}`)
  let { names } = before
  if (step.kind !== 'foreach')
    for (const name of inside) names = names.set(name, uncertain(after.names.get(name) ?? certain, cause, ['skipped', 'failed']))
  const sets = assigned(step.branches)
  return loosened({ ...before, names }, sets, cause)
}

function uncertain({ may, cause: known }: Presence, cause: Cause, also: readonly ('skipped' | 'failed')[] = []): Presence {
  return { may: new Set([...may, 'absent' as const, ...also]), proofs: [], cause: known ?? cause }
}

/** Marks variables that may have been set on the way, and so may have another value. */
function loosened(state: State, names: ReadonlySet<string>, cause: Cause): State {
  let standing = state.names
  for (const path of pathsOf(names)) {
    const known = presenceOf(state, path)
    standing = standing.set(path, { may: new Set([...known.may, 'done' as const]), proofs: [], cause: known.cause ?? cause })
  }
  return { ...state, names: standing, facts: factsWithout(state, pathsOf(names)) }
}

function pathsOf(names: ReadonlySet<string>): readonly string[] {
  return [...names].map((name) => `vars.${name}`)
}

/** Returns the variables that these lists set, at any depth. */
function assigned(lists: readonly Branch[]): ReadonlySet<string> {
  return new Set([...withNested(lists.flatMap(({ steps }) => steps))].flatMap(({ kind, value }) => (kind === 'set' ? keysOf(value['set']) : [])))
}
