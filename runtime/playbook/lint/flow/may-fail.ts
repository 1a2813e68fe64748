import type { Json } from '../../../domain/index.ts'
import { operationOf, type VarRead, varOf, varsOf } from './rules.ts'

const deciding: ReadonlySet<string> = new Set(['and', 'or', '!', '!!', 'if', '?:', 'missing', 'missing_some'])
const comparing: ReadonlySet<string> = new Set(['==', '===', '!=', '!==', 'in'])

/** Returns whether the evaluation of a condition may fail, although lint finds nothing wrong with it. */
export function mayFail(rule: Json): boolean {
  const read = varOf(rule)
  if (read !== null) return read.fallback === undefined ? !isSure(read) : mayFail(read.fallback)
  if (Array.isArray(rule)) return (rule as readonly Json[]).some(mayFail)
  const operation = operationOf(rule)
  if (operation === null) return false
  const { name, given } = operation
  if (deciding.has(name)) return given.some(mayFail)
  if (!comparing.has(name)) return true
  // Null compares with anything. Other values must have the same type.
  const compares = name === 'in' || !given.includes(null)
  return given.some(mayFail) || (compares && [...varsOf(given as Json)].some((one) => !isSure(one)))
}

/** Returns whether lint knows the type of what a path reads. */
function isSure({ path: [root = '', , field] }: VarRead): boolean {
  return ['inputs', 'vars', 'connections', 'organization', 'run'].includes(root) || (root === 'steps' && field === 'status')
}
