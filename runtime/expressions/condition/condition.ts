import { cutText, type Json } from '../../domain/index.ts'
import { messageOf, TocsinError } from '../../errors/index.ts'
import { ExpressionError } from '../error.ts'
import type { Condition, Located } from '../types.ts'
import { truthy } from '../values.ts'
import { Meter, type WorkBudget, WorkExceeded } from '../work.ts'
import { compileRule } from './logic.ts'
import { checkRule } from './rule.ts'

/**
 * Compiles a json-logic rule: `true`, `false`, or one operator. A rule has no templates inside, and the paths of `var` are constants.
 *
 * Nothing is coerced: the comparison of values of different types is an error, except with null. A `var` whose path is missing is an
 * error unless it has a default.
 * @throws ExpressionError with all faults of the rule
 */
export function compileCondition(rule: Json): Condition & Located {
  const { faults, sites } = checkRule(rule)
  if (faults.length > 0) throw new ExpressionError(faults)
  const evaluate = compileRule(rule)
  return {
    source: rule,
    reads: sites.map(({ path }) => path),
    sites,
    test: (context, together: WorkBudget | null = null) => {
      const meter = new Meter(together)
      try {
        return truthy(evaluate(context, meter))
      } catch (error) {
        if (error instanceof WorkExceeded) throw meter.failure(shownOf(rule), error)
        throw new TocsinError('condition_failed', `${shownOf(rule)}: ${messageOf(error)}.`, [], { cause: error })
      } finally {
        meter.end()
      }
    },
  }
}

/** The most characters of a rule in a message. */
const longestShown = 160

function shownOf(rule: Json): string {
  return `\`${cutText(JSON.stringify(rule), longestShown)}\``
}
