import { isObject, type Json } from '../../domain/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import { type StepKind, stepKinds } from './steps.ts'

/** In a path: each item of a list. */
const item = Symbol('item')
/** In a path: each entry of a mapping. */
const entry = Symbol('entry')
/** A path from a step. One path may mean several places: `['switch', item, 'steps']` means the steps of each case. */
type Places = readonly (string | typeof item | typeof entry)[]

/** Where a kind of step holds a list of steps. */
interface ListPart {
  readonly at: Places
  /** The key beside the list with the condition under which the list runs. */
  readonly when?: string
  /** The steps run once for each item, and belong to that iteration. */
  readonly loop?: true
}

/** Where a kind of step has a value whose templates are rendered before the step is done. */
interface ValuePart {
  readonly at: Places
  /** If this key is beside the value, the value is something else, and is not rendered. */
  readonly unless?: string
}

interface StepParts {
  readonly lists: readonly ListPart[]
  readonly values: readonly ValuePart[]
}

const input: readonly ValuePart[] = [{ at: ['with'] }]

/**
 * What each kind of step holds. A kind without an entry here is a type error. The modifiers `if` and `on_error` are not here: every kind may
 * have them.
 */
const stepParts: Readonly<Record<StepKind, StepParts>> = {
  skill: { lists: [], values: input },
  set: { lists: [], values: [{ at: ['set'] }] },
  if: { lists: [{ at: ['then'], when: 'if' }, { at: ['else'] }], values: [] },
  switch: { lists: [{ at: ['switch', item, 'steps'], when: 'when' }], values: [] },
  foreach: { lists: [{ at: ['steps'], loop: true }], values: [{ at: ['foreach'] }] },
  parallel: { lists: [{ at: ['parallel', 'branches', entry] }], values: [] },
  playbook: { lists: [], values: input },
  script: { lists: [], values: input },
  case: { lists: [], values: [{ at: ['case', 'note'] }, { at: ['case', 'finding'] }] },
  stop: { lists: [], values: [{ at: ['stop', 'reason'] }] },
  // `until` of a poll reads `output`: it is a condition. Otherwise it is a time.
  wait: { lists: [], values: [{ at: ['wait', 'poll', 'with'] }, { at: ['wait', 'until'], unless: 'poll' }] },
  approve: { lists: [], values: [{ at: ['approve', 'title'] }] },
}

/** Every kind may have a handler: the steps that run if the step fails. */
const handler: ListPart = { at: ['on_error'] }

type StepValue = Readonly<Record<string, Json>>

/** A place in a step. */
interface Located<Part> {
  readonly part: Part
  /** The path from the step. */
  readonly path: DocumentPath
  /** Undefined if the place is empty. */
  readonly value: Json | undefined
  /** The object or list that contains the value. */
  readonly holder: StepValue
}

/** Returns the kind of a step. The step need not fit the grammar. Null if it has no kind. */
export function kindOf(step: StepValue): StepKind | null {
  return stepKinds.find(({ key }) => Object.hasOwn(step, key))?.kind ?? null
}

/** Returns where a kind of step can hold lists of steps, without its handler. A place may be empty. */
export function ownLists(kind: StepKind, step: StepValue): readonly Located<ListPart>[] {
  return stepParts[kind].lists.flatMap((part) => located(part, step))
}

/** Returns the values that a step renders before it is done, without those of its nested steps. */
export function ownValues(kind: StepKind, step: StepValue): readonly { readonly path: DocumentPath; readonly value: Json }[] {
  return stepParts[kind].values
    .flatMap((part) => located(part, step))
    .flatMap(({ part, path, value, holder }) =>
      value === undefined || (part.unless !== undefined && holder[part.unless] !== undefined) ? [] : [{ path, value }],
    )
}

/** A list of steps in a step. */
export interface NestedList {
  /** The path from the step. */
  readonly path: DocumentPath
  readonly list: Json
  /** Whether the steps run once for each item, and belong to that iteration. */
  readonly loop: boolean
}

const everyList: readonly ListPart[] = [...stepKinds.flatMap(({ kind }) => stepParts[kind].lists), handler]

/** Returns all lists of steps in a step, even if its kind is unknown. */
export function nestedLists(step: StepValue): readonly NestedList[] {
  return everyList
    .flatMap((part) => located(part, step))
    .flatMap(({ part, path, value }) => (value === undefined ? [] : [{ path, list: value, loop: part.loop === true }]))
}

/** Returns whether a path from a step leads into one of its lists of steps, and not only to the list. */
export function intoNested(path: readonly string[]): boolean {
  return everyList.some(({ at }) => path.length > at.length && at.every((key, index) => typeof key !== 'string' || key === path[index]))
}

/** Yields every place in a step that a part describes. */
function located<Part extends { readonly at: Places }>(part: Part, step: StepValue): readonly Located<Part>[] {
  const find = (at: Places, holder: Json | undefined, path: DocumentPath): readonly Located<Part>[] => {
    const [key, ...rest] = at
    if (key === undefined) return []
    const keys = keysAt(key, holder)
    return keys.flatMap((name) => {
      const value = (holder as Readonly<Record<string | number, Json>>)[name]
      if (rest.length > 0) return find(rest, value, [...path, name])
      return isObject(holder) ? [{ part, path: [...path, name], value, holder }] : []
    })
  }
  return find(part.at, step, [])
}

function keysAt(key: Places[number], holder: Json | undefined): readonly (string | number)[] {
  if (key === item) return Array.isArray(holder) ? [...holder.keys()] : []
  if (!isObject(holder)) return []
  return key === entry ? Object.keys(holder) : [key as string]
}
