import type { Json } from '../../../domain/index.ts'
import { step } from '../effort.ts'
import { operation } from './facts.ts'

/** Equal for rules that mean the same, however their arguments are written. */
export function canonical(rule: Json): string {
  step()
  if (Array.isArray(rule)) return `[${(rule as readonly Json[]).map(canonical).join(',')}]`
  const found = operation(rule)
  return found === null ? JSON.stringify(rule) : `{${JSON.stringify(found.name)}:[${found.args.map(canonical).join(',')}]}`
}
