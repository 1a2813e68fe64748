import { isObject, type Json } from '../../../domain/index.ts'
import * as typing from '../../../expressions/typing/index.ts'
import type { StepNode } from '../document/index.ts'
import { type Fact, factsReading, isDone, presenceOf, type Result, type State } from '../flow/index.ts'
import type { Subject } from '../rule.ts'
import type { LintWorld } from '../world.ts'
import { errorOf, fixedOutput, mayBeSpared } from './outputs.ts'
import { alertType, caseType, connectionsType, inputsType, organizationType, runType } from './roots.ts'
import { type SubPlaybookTypes, subPlaybookTypes } from './sub-playbooks.ts'

const {
  any,
  factsOfRule,
  isAny,
  LazyFields,
  isNever,
  listOf,
  objectOf,
  oneOf,
  optional,
  present,
  typeOfTemplate,
  union,
  unsaid,
  withFacts,
  withRoots,
} = typing

/** The types of the items of the loops around a place, by their names in templates. */
type Items = Readonly<Record<string, typing.Type>>

/** How often the types are worked out. Each round uses the types of `vars` from the round before. */
const rounds = 2

/** The types of everything that a playbook's expressions can read. */
export class Typing {
  readonly #subject: Subject
  readonly #base: Readonly<Record<string, typing.Type>>
  readonly #outputs = new Map<string, typing.Type>()
  readonly #errors = new Map<string, typing.Type>()
  /** Ids of steps that are skipped if they act on a protected entity. Playbooks need not expect that their output is missing then. */
  readonly #protecting = new Set<string>()
  /** Ids of steps that are read anywhere. Null if `steps` is read as a whole. */
  readonly #read: ReadonlySet<string> | null
  readonly #items = new Map<StepNode, Items>()
  /** What a step leaves, by its id and then by its possible results (`maskOf`). */
  readonly #left = new Map<string, (typing.Type | undefined)[]>()
  readonly #codes = new Map<string, typing.Type>()
  readonly #facts = new Map<Fact, readonly typing.Fact[]>()
  readonly #environments = new Map<State, Map<Items, typing.Environment>>()
  /** The types of the variables, over all `set` steps. */
  #vars = new Map<string, typing.Type>()
  #known = false

  constructor(subject: Subject) {
    this.#subject = subject
    const { root, plan, flow } = subject
    const slots = plan === null ? Object.keys(isObject(root['connections']) ? root['connections'] : {}) : Object.keys(plan.slots)
    this.#base = {
      alert: alertType,
      inputs: inputsType(root['inputs']),
      organization: organizationType,
      case: caseType,
      connections: connectionsType(slots),
      run: runType,
    }
    this.#read = readSteps(subject.document.text)
    for (let round = 0; round < rounds; round += 1) {
      const vars = new Map<string, typing.Type>()
      this.#environments.clear()
      this.#left.clear()
      this.#visit(flow.steps, none, vars)
      this.#vars = vars
      this.#known = true
    }
    this.#environments.clear()
    this.#left.clear()
  }

  /** The types of what can be read before the first step, such as in the case's title. */
  get opening(): typing.Environment {
    return { root: (name) => this.#base[name] ?? any }
  }

  /** Returns the types of what can be read at a place: in a step, or after all steps (null). */
  at(step: StepNode | null, state: State): typing.Environment {
    return this.#environment(state, (step && this.#items.get(step)) ?? none)
  }

  /** The types of what can be read after the steps. */
  get closing(): typing.Environment {
    return this.at(null, this.#subject.flow.closing)
  }

  #environment(state: State, items: Items): typing.Environment {
    const known = this.#environments.get(state) ?? new Map<Items, typing.Environment>()
    this.#environments.set(state, known)
    const standing = known.get(items)
    if (standing !== undefined) return standing
    const made = this.#refined(withRoots(this.#roots(state), items), state)
    known.set(items, made)
    return made
  }

  /** Returns the environment with the facts known at a place. Refines only what is read, because an expression reads few of thousands of steps. */
  #refined(outer: typing.Environment, state: State): typing.Environment {
    const known = new Map<string, typing.Type>()
    const refine = (name: string): typing.Type => {
      const type = withFacts(outer, this.#factsReading(state, name)).root(name)
      const { object } = type
      if (object === null) return type
      const typeOf = (member: string): typing.Type | undefined => {
        const facts = this.#factsReading(state, `${name}.${member}`).filter(({ path }) => path[0] === name && path[1] === member)
        if (facts.length === 0) return object.fields.get(member)
        const alone = objectOf(new Map([[member, object.fields.get(member) ?? object.rest]]), object.others, object.rest)
        return withFacts({ root: () => alone }, facts)
          .root(name)
          .object?.fields.get(member)
      }
      return { ...type, object: { ...object, fields: new LazyFields(() => object.fields.keys(), typeOf) } }
    }
    return {
      root: (name) => {
        const standing = known.get(name) ?? refine(name)
        known.set(name, standing)
        return standing
      },
    }
  }

  #factsReading(state: State, path: string): readonly typing.Fact[] {
    return [...factsReading(state, path)].flatMap((fact) => this.#factsOf(fact))
  }

  /** Caches the types that a fact implies, because the same fact is known at many places. */
  #factsOf(fact: Fact): readonly typing.Fact[] {
    const known = this.#facts.get(fact) ?? factsOfRule(fact.rule, fact.holds)
    this.#facts.set(fact, known)
    return known
  }

  #roots(state: State): typing.Environment {
    let steps: typing.Type | undefined
    let vars: typing.Type | undefined
    return {
      root: (name) => {
        if (name === 'steps') {
          steps ??= this.#stepsAt(state)
          return steps
        }
        if (name === 'vars') {
          vars ??= this.#varsAt(state)
          return vars
        }
        return this.#base[name] ?? any
      },
    }
  }

  /** Returns the type of `steps`. The rule `presence` reports steps that may not have run; here their output is only possibly missing. */
  #stepsAt(state: State): typing.Type {
    const typeOf = (id: string): typing.Type | undefined =>
      this.#outputs.has(id) && (this.#read?.has(id) ?? true) ? this.#leftAs(id, presenceOf(state, `steps.${id}`).may) : undefined
    return objectOf(new LazyFields(() => this.#outputs.keys(), typeOf), 'open')
  }

  /** Returns the type of what a step leaves if it had one of these results. */
  #leftAs(id: string, may: ReadonlySet<Result>): typing.Type {
    const key = maskOf(may)
    const standing = this.#left.get(id) ?? []
    const known = standing[key]
    if (known !== undefined) return known
    const words = new Set([...may].filter((result) => result !== 'absent').map((result) => (result === 'spared' ? 'skipped' : String(result))))
    // If the output or the error cannot exist, `presence` reports that, and the type is unknown.
    const output = may.has('done') ? (this.#outputs.get(id) ?? any) : any
    const error = may.has('failed') ? (this.#errors.get(id) ?? any) : any
    // Playbooks need not expect that the output is missing because of protection.
    const only = (result: Result): boolean => may.has(result) && [...may].every((one) => one === result || one === 'spared')
    const type = objectOf(
      {
        status: oneOf(...(words.size === 0 ? ['done', 'skipped', 'failed'] : words)),
        output: only('done') ? output : optional(output, 'unsaid'),
        error: only('failed') ? error : optional(error, 'unsaid'),
      },
      'open',
    )
    standing[key] = type
    this.#left.set(id, standing)
    return type
  }

  #varsAt(state: State): typing.Type {
    const typeOf = (name: string): typing.Type | undefined => {
      const type = this.#vars.get(name)
      if (type === undefined) return undefined
      const presence = presenceOf(state, `vars.${name}`)
      return isDone(presence) ? type : presence.may.size > Number(presence.may.has('absent')) ? optional(type, 'unsaid') : unsaid
    }
    return objectOf(new LazyFields(() => this.#vars.keys(), typeOf), 'open')
  }

  #visit(steps: readonly StepNode[], items: Items, vars: Map<string, typing.Type>): void {
    for (const step of steps) {
      this.#items.set(step, items)
      this.#errors.set(step.id, this.#errorOf(step))
      if (mayBeSpared(step, this.#subject.world)) this.#protecting.add(step.id)
      this.#outputs.set(step.id, this.#outputOf(step, items, vars))
      if (step.onError !== 'fail' && step.onError !== 'continue') this.#visit(step.onError.steps, items, vars)
    }
  }

  #errorOf(step: StepNode): typing.Type {
    const integration = step.kind === 'skill' ? String(step.value['skill']).split('.')[0] : ''
    const known = this.#codes.get(integration ?? '') ?? errorOf(integration ?? '', this.#subject.world)
    this.#codes.set(integration ?? '', known)
    return known
  }

  #outputOf(step: StepNode, items: Items, vars: Map<string, typing.Type>): typing.Type {
    switch (step.kind) {
      case 'set': {
        const set = this.#valueIn(step, step.value['set'] ?? null, items)
        for (const [name, type] of set.object?.fields ?? []) vars.set(name, alsoSet(vars.get(name), type))
        return set
      }
      case 'foreach':
        return this.#loop(step, items, vars)
      case 'playbook':
        return subPlaybookOf(this.#subject.world, String(step.value['playbook']))?.outputs ?? any
      default:
        for (const list of step.branches) this.#visit(list.steps, items, vars)
        return fixedOutput(step, this.#subject.world)
    }
  }

  /** Returns the type of a loop's output: for each iteration, what its steps left, by id. */
  #loop(step: StepNode, items: Items, vars: Map<string, typing.Type>): typing.Type {
    const list = this.#valueIn(step, step.value['foreach'] ?? null, items)
    const item = list.list === null || isAny(list) || isNever(list.list.items) ? any : list.list.items
    const name = typeof step.value['as'] === 'string' ? step.value['as'] : 'item'
    for (const { steps } of step.branches) this.#visit(steps, { ...items, [name]: item }, vars)
    const left = step.branches.flatMap(({ steps }) => steps.map((inner): [string, typing.Type] => [inner.id, this.#leftBy(inner)]))
    return objectOf({ items: listOf(objectOf(new Map(left))) })
  }

  #leftBy(step: StepNode): typing.Type {
    const skipped = step.guard !== null
    const failed = step.onError !== 'fail'
    const words = ['done', ...(skipped || this.#protecting.has(step.id) ? ['skipped'] : []), ...(failed ? ['failed'] : [])]
    const output = this.#outputs.get(step.id) ?? any
    const error = failed ? { error: optional(this.#errors.get(step.id) ?? any) } : {}
    return objectOf({ status: oneOf(...words), output: skipped || failed ? optional(output) : output, ...error })
  }

  #valueIn(step: StepNode, value: Json, items: Items): typing.Type {
    const state = this.#subject.flow.entering.get(step)
    if (state === undefined) return any
    // In the first round, the types of variables are not known yet.
    const environment = this.#environment(state, items)
    const outer = this.#known ? environment : withRoots(environment, { vars: any })
    return typeOfTemplate(value, outer, this.#subject.world.filters()).type
  }
}

/** Returns the ids after `steps.` anywhere in the file. The types of other steps are not needed. */
function readSteps(text: string): ReadonlySet<string> | null {
  if (/\bsteps\s*[[\]|}'",]/.test(text)) return null
  return new Set([...text.matchAll(/\bsteps\s*\.\s*([A-Za-z_]\w*)/g)].map(([, id = '']) => id))
}

/** Returns a number for each set of results. */
function maskOf(may: ReadonlySet<Result>): number {
  return ['absent', 'skipped', 'failed', 'done', 'spared'].reduce((mask, word, bit) => mask + (may.has(word as Result) ? 1 << bit : 0), 0)
}

/** Joins the types of two `set` steps. A missing value does not change the variable, so it is present if one of the values always is. */
function alsoSet(standing: typing.Type | undefined, type: typing.Type): typing.Type {
  if (standing === undefined) return type
  const there = standing.absence === 'no' || type.absence === 'no'
  return there ? present(union(standing, type)) : union(standing, type)
}

const none: Items = {}

const made = new WeakMap<Subject, Typing>()

/** Returns the types of a playbook. Many rules need them, so they are worked out once. */
export function typingOf(subject: Subject): Typing {
  const known = made.get(subject) ?? new Typing(subject)
  made.set(subject, known)
  return known
}

/** Returns the types of a sub-playbook. Null if they are not known. */
export function subPlaybookOf(world: LintWorld, name: string): SubPlaybookTypes | null {
  return subPlaybookTypes(world, name, (subject) => typingOf(subject).closing)
}
