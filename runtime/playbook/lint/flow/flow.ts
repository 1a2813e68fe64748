import { isObject, type Json } from '../../../domain/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import {
  type Branch,
  closingExpressions,
  type Expression,
  expressionsOf,
  holdsTemplate,
  listsOf,
  outlineOf,
  pollConditionOf,
  type StepNode,
  withNested,
} from '../document/index.ts'
import { assume } from './assume.ts'
import { join } from './join.ts'
import { mayFail } from './may-fail.ts'
import { absent, type Cause, either, type Presence, type Setting } from './presence.ts'
import { unknown } from './rules.ts'
import { assign, become, forgetting, opening, presenceOf, type State, unreachable, withoutRoot } from './state.ts'

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

/**
 * Follows the steps of a playbook on all paths.
 * @param mayBeSpared whether a step is skipped if it would change a protected entity
 */
export function flowOf(root: Readonly<Record<string, Json>>, mayBeSpared: (step: StepNode) => boolean): Flow {
  const walk = new FlowWalk(mayBeSpared)
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
  readonly #mayBeSpared: (step: StepNode) => boolean
  readonly #settings = new Map<StepNode, readonly Setting[]>()
  /** Those with a value that is written out, by name and value. */
  readonly #written = new Map<string, Setting>()

  constructor(mayBeSpared: (step: StepNode) => boolean) {
    this.#mayBeSpared = mayBeSpared
  }

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
    const done = become(ran, name, this.#mayBeSpared(step) ? ['done', 'spared'] : 'done')
    let after = done
    if (onError !== 'fail') {
      const cause: Cause = { kind: 'failed', path: step.path }
      const inside = this.#midway(step, entered, ran)
      // If the condition itself failed, nobody knows what it would have said.
      const failed = become(guard !== null && mayFail(guard.rule) ? join(inside, before, cause) : inside, name, 'failed', cause)
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
        return assign(before, this.#settingsOf(step))
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
    const settings = this.#settingsIn([body])
    const between = loosened(before, settings, cause)
    const after = this.list(body.steps, between)
    const { foreach } = step.value
    const surely = Array.isArray(foreach) && foreach.length > 0
    // The steps of a loop belong to its iterations. After the loop, only the variables that it set remain.
    let { names } = between
    for (const path of pathsOf(settings)) names = names.set(path, { ...presenceOf(after, path), cases: [] })
    const ended: State = { ...between, reachable: after.reachable, names }
    return surely ? ended : join(ended, before, cause)
  }

  #parallel(step: StepNode, before: State): State {
    const cause: Cause = { kind: 'parallel', path: step.path }
    const { parallel } = step.value
    const all = !isObject(parallel) || parallel['join'] === undefined || parallel['join'] === 'all'
    const set = step.branches.map((branch) => pathsOf(this.#settingsIn([branch])))
    const stopsBefore = this.stops.length
    const ends = step.branches.map(({ steps }) => this.list(steps, before))
    // If a branch stops the run, the verdict sees nothing of what the branches did.
    for (const { path } of this.stops.splice(stopsBefore)) this.stops.push({ state: before, path })
    const base = forgetting(before, set.flat())
    let { names } = base
    for (const [index, end] of ends.entries()) {
      const others = set.filter((_, other) => other !== index).flat()
      const left = forgetting(end, others).names
      for (const { key: name } of end.names.differences(before.names)) {
        const presence = left.get(name)
        if (presence === undefined) continue
        names = names.set(name, all && end.reachable ? presence : uncertain(presence, before.names.get(name) ?? absent, cause))
      }
    }
    const reachable = before.reachable && (ends.length === 0 || ends.some((end) => end.reachable))
    return { ...base, reachable, names }
  }

  /** Returns the state after a step failed. Each step inside it may or may not have run. */
  #midway(step: StepNode, before: State, after: State): State {
    const cause: Cause = { kind: 'failed', path: step.path }
    if (step.branches.length === 0) return before
    const inside = [...withNested(step.branches.flatMap(({ steps }) => steps))].map(({ id }) => `steps.${id}`)
    let { names } = before
    if (step.kind !== 'foreach') for (const name of inside) names = names.set(name, uncertain(after.names.get(name) ?? done, begun, cause))
    return loosened({ ...before, names }, this.#settingsIn(step.branches), cause)
  }

  /** Returns the settings of these lists, at any depth. */
  #settingsIn(lists: readonly Branch[]): readonly Setting[] {
    return [...withNested(lists.flatMap(({ steps }) => steps))].flatMap((step) => (step.kind === 'set' ? this.#settingsOf(step) : []))
  }

  #settingsOf(step: StepNode): readonly Setting[] {
    const set = step.value['set']
    const settings = this.#settings.get(step) ?? Object.entries(isObject(set) ? set : {}).map(([name, value]) => this.#setting(step, name, value))
    this.#settings.set(step, settings)
    return settings
  }

  #setting(step: StepNode, name: string, value: Json): Setting {
    if (!isWritten(value)) return { step, name, value: unknown }
    const key = `${name}: ${JSON.stringify(value)}`
    const written = this.#written.get(key) ?? { step, name, value }
    this.#written.set(key, written)
    return written
  }
}

/** Returns whether a value is a scalar that is written out. */
function isWritten(value: Json): boolean {
  return (typeof value !== 'object' || value === null) && !holdsTemplate(value)
}

/** Returns the cause of a branch: the condition of the whole step for `if`, of the case for `switch`. */
function decided(step: StepNode, cause: Cause): Cause {
  return step.kind === 'if' ? { kind: 'branch', path: [...step.path, 'if'] } : cause
}

const done: Presence = { may: new Set(['done', 'spared']), cases: [], cause: null }
/** What a step may be if another step, which contains it, failed. */
const begun: Presence = { may: new Set(['absent', 'skipped', 'failed']), cases: [], cause: null }

/** Returns what is known of a name that has either changed or not. */
function uncertain({ may, cause: known }: Presence, before: Presence, cause: Cause): Presence {
  return { may: either(may, before.may), cases: [], cause: known ?? cause }
}

/** Marks variables that may have been set on the way, and so may have another value. */
function loosened(state: State, settings: readonly Setting[], cause: Cause): State {
  const forgetful = forgetting(state, pathsOf(settings))
  let { names } = forgetful
  for (const setting of settings) {
    const path = `vars.${setting.name}`
    const known = names.get(path) ?? absent
    names = names.set(path, { may: either(known.may, new Set([setting])), cases: [], cause: known.cause ?? cause })
  }
  return { ...forgetful, names }
}

function pathsOf(settings: readonly Setting[]): readonly string[] {
  return [...new Set(settings.map(({ name }) => `vars.${name}`))]
}
