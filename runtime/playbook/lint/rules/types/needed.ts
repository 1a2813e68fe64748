import { isObject, type Json } from '../../../../domain/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { callsOf, type StepNode } from '../../document/index.ts'
import type { Subject } from '../../rule.ts'
import { skillOf, subPlaybookOf, typingOf } from '../../typing/index.ts'

/** A value of a step that must have a type. */
export interface Place {
  readonly value: Json
  readonly path: DocumentPath
  readonly needed: typing.Type
  /** Whether an empty text counts as no value. */
  readonly blank: boolean
}

/** A place, with the type that its value has there. */
interface TypedPlace extends Place, typing.TypedTemplate {}

/** The type that `wait.until` needs. */
export const time = typing.union(typing.number, typing.text)

/**
 * Returns the values that must have a type, in steps that a run can reach.
 * @param wanted whether a rule looks at a value. The types of others are not read, because that takes long
 */
export function* typedPlaces(subject: Subject, wanted: (place: Place) => boolean): Generator<TypedPlace> {
  const known = typingOf(subject)
  for (const [step, state] of subject.flow.entering) {
    if (!state.reachable) continue
    for (const place of placesOf(step, subject)) {
      if (wanted(place)) yield { ...place, ...typing.typeOfTemplate(place.value, known.at(step, state), subject.world.filters()) }
    }
  }
}

/** Returns the values of a step that must have a type: inputs of skills and sub-playbooks, the list of a loop, and the time of a wait. */
function placesOf(step: StepNode, { world }: Subject): readonly Place[] {
  const { foreach, playbook, wait, with: given } = step.value
  if (step.kind === 'foreach')
    return foreach === undefined ? [] : [{ value: foreach, path: [...step.path, 'foreach'], needed: typing.list, blank: false }]
  if (step.kind === 'playbook' && typeof playbook === 'string')
    return members(given, [...step.path, 'with'], true, (name) => subPlaybookOf(world, playbook)?.inputs.get(name))
  const calls = callsOf(step).flatMap(({ skill, value, path }) => {
    const schema = skillOf(world, skill)?.document.input
    const fields = schema === undefined ? null : typing.typeOfSchema(schema).object?.fields
    return members(value, path, false, (name) => fields?.get(name))
  })
  const until = step.kind === 'wait' && isObject(wait) && wait['poll'] === undefined ? wait['until'] : undefined
  return until === undefined ? calls : [...calls, { value: until, path: [...step.path, 'wait', 'until'], needed: time, blank: false }]
}

function members(given: Json | undefined, path: DocumentPath, blank: boolean, typeOf: (name: string) => typing.Type | undefined): readonly Place[] {
  return Object.entries(isObject(given) ? given : {}).flatMap(([name, value]) => {
    const needed = typeOf(name)
    return needed === undefined ? [] : [{ value, path: [...path, name], needed, blank }]
  })
}

/** Returns the type that a part of a value must have. */
export function partOf(type: typing.Type, part: string | number): typing.Type {
  if (typeof part === 'number') return type.list?.items ?? typing.any
  return type.object?.fields.get(part) ?? type.object?.rest ?? typing.any
}
