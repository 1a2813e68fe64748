import { isObject, type Json } from '../../domain/index.ts'
import { compileValue } from '../../expressions/index.ts'
import type { KnownSkill } from '../compile/index.ts'
import { below, composed, constantKey, type Dependence, keyOf, orUsual, pathIn } from './expression-key.ts'
import type { Place } from './place.ts'
import { noTargets, oneTarget, type Targets } from './targets.ts'

/**
 * Returns what a call acts on: the skill's `target`, applied to the step's `with`. Returns no
 * target if the skill declares none.
 *
 * @param address the address of the step
 * @param input the step's `with`, as the playbook has it
 */
export function targetOf(address: string, { document }: KnownSkill, input: Json, place: Place): Targets {
  const { target } = document
  if (target === undefined) return noTargets
  const found = reached(typeof target === 'string' ? target : target.join(','), document, isObject(input) ? input : {}, place)
  if (found === 'none') return noTargets
  // A value that may change counts as another target at each step and in each iteration.
  return found ? oneTarget(found.key, found.loops) : oneTarget(`at ${address}`, place.loops)
}

type Given = Readonly<Record<string, Json>>

function reached(target: string, document: KnownSkill['document'], given: Given, place: Place): Dependence | null | 'none' {
  const read = (name: string): Dependence | null | 'none' => {
    const value = given[name]
    const usual = defaultOf(document, name)
    if (value !== undefined) return usual === undefined ? keyOf(value, place) : orUsual(value, usual, place)
    return usual === undefined ? 'none' : constantKey(usual)
  }
  const path = pathIn(target)
  if (path) {
    const [, name = '', ...rest] = path
    const value = read(name)
    return value === 'none' ? 'none' : below(value, rest)
  }
  const { constant, reads } = compileValue(target, place.filters)
  if (constant) return constantKey(target)
  return composed(target, reads, ([, name = '', ...rest]) => {
    const value = read(name)
    return value === 'none' ? constantKey(null) : below(value, rest)
  })
}

function defaultOf({ input }: KnownSkill['document'], name: string): Json | undefined {
  const { properties } = input
  const property = isObject(properties) ? properties[name] : undefined
  return isObject(property) ? property['default'] : undefined
}
