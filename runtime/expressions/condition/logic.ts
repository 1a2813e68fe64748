import type { Json } from '../../domain/index.ts'
import { isSpecial, ofPart, operatorNamed, type Part, refusal, type ValueOperator } from '../operators/index.ts'
import type { Context } from '../types.ts'
import type { Meter } from '../work.ts'

/** A compiled rule. @throws Error that says what does not fit; WorkExceeded */
export type Rule = (context: Context, meter: Meter) => Json

/**
 * Compiles a rule. The operators and their meaning are those of json-logic. We evaluate them ourselves, and do not use json-logic-js, because
 * each step must charge for its work (decision 32).
 * @param rule one in which `checkRule` found no fault
 */
export function compileRule(rule: Json): Rule {
  const part = compile(rule)
  return (context, meter) => part(context, { context, meter })
}

/**
 * Evaluates a part of a rule.
 * @param data what `var` reads from: the context, or the current item if the part is inside a loop
 * @throws Error with the reason if the part cannot be evaluated; WorkExceeded
 */
export function evaluatePart(rule: Json, data: unknown, context: Context, meter: Meter): Json {
  return compile(rule)(data, { context, meter })
}

function compile(rule: Json): Part {
  if (typeof rule !== 'object' || rule === null) return constant(rule)
  if (Array.isArray(rule)) return compileList(rule as readonly Json[])
  const [name = '', given = null] = Object.entries(rule as Readonly<Record<string, Json>>)[0] ?? []
  const values = Array.isArray(given) ? (given as readonly Json[]) : [given]
  const operator = operatorNamed(name)
  if (operator === undefined) throw new Error(`there is no operator ${name}`)
  return isSpecial(operator) ? operator.compile(values, compile) : compileOperator(operator, values)
}

function constant(value: Json): Part {
  return (_data, { meter }) => {
    meter.charge(1)
    return value
  }
}

/** Compiles a list. One without operators is a constant. */
function compileList(items: readonly Json[]): Part {
  if (!items.some(hasOperator)) return constant(items as Json)
  const parts = items.map(compile)
  return (data, evaluation) => {
    evaluation.meter.charge(ofPart)
    return parts.map((part) => part(data, evaluation))
  }
}

function hasOperator(value: Json): boolean {
  return typeof value === 'object' && value !== null && (!Array.isArray(value) || (value as readonly Json[]).some(hasOperator))
}

/** Compiles an operator whose arguments are evaluated first. */
function compileOperator(operator: ValueOperator, given: readonly Json[]): Part {
  const { name } = operator
  const { values, evaluate } = operator.prepare?.(given) ?? { values: given, evaluate: operator.evaluate }
  const parts = values.map(compile)
  const work = ofPart + 2 * values.length
  return (data, evaluation) => {
    const { meter } = evaluation
    meter.charge(work)
    const results = parts.map((part) => part(data, evaluation))
    try {
      return evaluate(meter, ...results)
    } catch (error) {
      throw refusal(name, error)
    }
  }
}
