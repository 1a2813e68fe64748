import type { Json } from '../domain/index.ts'
import { messageOf, TocsinError } from '../errors/index.ts'
import { ExpressionError } from './error.ts'
import { decide } from './logic.ts'
import { checkRule } from './rule.ts'
import type { Condition, Located } from './types.ts'

/**
 * Compiles a json-logic rule: `true`, `false`, or one operator. No templates inside; `var` takes a literal path.
 *
 * Nothing is coerced: comparing values of different types is an error when it is decided, except with null. A `var` whose path is
 * missing is an error unless it gives a default.
 * @throws ExpressionError with everything that is wrong with the rule
 */
export function compileCondition(rule: Json): Condition & Located {
  const { faults, sites, prepared } = checkRule(rule)
  if (faults.length > 0) throw new ExpressionError(faults)
  return {
    reads: sites.map(({ path }) => path),
    sites,
    test: (context) => {
      try {
        return decide(prepared, context)
      } catch (error) {
        const written = JSON.stringify(rule)
        const shown = written.length > 160 ? `${written.slice(0, 160)}…` : written
        throw new TocsinError('condition_failed', `\`${shown}\`: ${messageOf(error)}.`, [], { cause: error })
      }
    },
  }
}
