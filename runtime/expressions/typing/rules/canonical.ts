import type { Json } from '../../../domain/index.ts'
import { step } from '../model/index.ts'
import { operation } from './facts.ts'

/** Returns a text that is equal for rules with the same meaning. json-logic allows a single argument with or without a list. */
export function canonical(rule: Json): string {
  step()
  if (Array.isArray(rule)) return `[${(rule as readonly Json[]).map(canonical).join(',')}]`
  const found = operation(rule)
  return found === null ? JSON.stringify(rule) : `{${JSON.stringify(found.name)}:[${found.args.map(canonical).join(',')}]}`
}
