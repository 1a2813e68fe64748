import { type Type, typeOfValue, unionOf, withFacts } from '../../typing/model/index.ts'
import { factsOfRule } from '../../typing/rules/facts.ts'
import { pitfallOfOr } from '../../typing/rules/pitfalls.ts'
import type { RuleUse } from '../../typing/rules/scope.ts'
import { truthy } from '../../values.ts'
import { many, type SpecialOperator } from '../definition.ts'
import { type Compile, ofPart } from '../part.ts'

const compile: Compile = (values, compilePart) => {
  const parts = values.map(compilePart)
  return (data, evaluation) => {
    evaluation.meter.charge(ofPart)
    for (let index = 0; index + 1 < parts.length; index += 2) {
      if (truthy(parts[index]?.(data, evaluation))) return parts[index + 1]?.(data, evaluation) ?? null
    }
    return parts.length % 2 === 1 ? (parts.at(-1)?.(data, evaluation) ?? null) : null
  }
}

function types({ args, place, scope, read, tell }: RuleUse): Type {
  const results: Type[] = []
  let inner = scope
  for (let index = 0; index < args.length; index += 2) {
    const test = args[index] ?? null
    const value = args[index + 1]
    const type = read(test, place(index), inner)
    if (value === undefined) {
      results.push(type)
      break
    }
    pitfallOfOr(test, place(index), { tell })
    results.push(read(value, place(index + 1), { ...inner, environment: withFacts(inner.environment, factsOfRule(test, true)) }))
    inner = { ...inner, environment: withFacts(inner.environment, factsOfRule(test, false)) }
    if (index + 2 >= args.length) results.push(typeOfValue(null))
  }
  return unionOf(results)
}

export const choice: SpecialOperator = {
  name: 'if',
  text: 'condition, value, more such pairs, and the value if no condition holds',
  example: { if: [{ '>': [{ length: { var: 'vars.tags' } }, 2] }, 'many', 'few'] },
  from: 'json-logic',
  takes: [2, many],
  readsContext: false,
  loops: false,
  compile,
  types,
}

/** `if` with exactly one condition. */
export const ternary: SpecialOperator = {
  ...choice,
  name: '?:',
  text: 'the same as `if`, with one condition',
  example: { '?:': [true, 1, 2] },
  takes: [3, 3],
}
