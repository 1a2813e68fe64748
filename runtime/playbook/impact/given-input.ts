import type { Json } from '../../domain/index.ts'
import { compileValue } from '../../expressions/index.ts'
import type { PlanInput } from '../plan.ts'
import { constantKey, type Dependence, keyOf, orUsual, type Surroundings } from './expression-key.ts'

/** Returns whether an input has a value whenever a step reads it. Without one, a required input fails the run or the step before. */
export function isSure({ required, default: usual }: PlanInput): boolean {
  return required || !isMissing(usual)
}

/** Inputs take null and empty text as missing. */
function isMissing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === ''
}

/**
 * Returns what an input of a sub-playbook depends on: the value that the calling step gives it, and its default, which
 * replaces a value that is missing or does not fit. Null: nothing is known of it.
 */
export function givenInput(input: PlanInput, given: Json | undefined, around: Surroundings): Dependence | null {
  const value = read(input, given, around)
  return value && { ...value, sure: isSure(input) }
}

function read({ default: usual, unfit, check, schema }: PlanInput, given: Json | undefined, around: Surroundings): Dependence | null {
  if (given === undefined) return usual === undefined ? null : constantKey(usual)
  if (usual === undefined) return keyOf(given, around)
  if (!compileValue(given, around.filters).constant) return orUsual(given, usual, around, unfit === 'missing' ? schema : null)
  const replaced = isMissing(given) || (unfit === 'missing' && check(given).length > 0)
  return replaced ? constantKey(usual) : keyOf(given, around)
}
