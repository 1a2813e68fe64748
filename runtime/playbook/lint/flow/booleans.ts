import { isObject, type Json } from '../../../domain/index.ts'
import { presenceOf, type State } from './state.ts'

/** Returns whether the value at a path is certainly a boolean, if it is there and not null. */
export function isBooleanAt([top, name = '', field, ...more]: readonly string[], state: State, root: Readonly<Record<string, Json>>): boolean {
  if (top === 'connections') return field === 'bound' && more.length === 0
  if (field !== undefined) return false
  if (top === 'vars') return [...presenceOf(state, `vars.${name}`).may].every((result) => result === 'absent' || isBoolean(result))
  const declared = top === 'inputs' && isObject(root['inputs']) ? root['inputs'][name] : undefined
  return isObject(declared) && declared['type'] === 'boolean'
}

function isBoolean(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'value' in result && typeof result.value === 'boolean'
}
