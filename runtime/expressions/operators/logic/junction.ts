import type { Json } from '../../../domain/index.ts'
import { describe, falsy, isNever, present, type Type, truthy as truthyPart, unionOf, withFacts } from '../../typing/model/index.ts'
import { factsOfRule, operation } from '../../typing/rules/facts.ts'
import { pitfallOfOr } from '../../typing/rules/pitfalls.ts'
import type { RuleUse } from '../../typing/rules/scope.ts'
import { truthy } from '../../values.ts'
import { type Compile, ofPart } from '../part.ts'

/** Compiles `and` or `or`. @param decisive the evaluation ends at the first argument that is true (or false, if this is false) */
export function compileJunction(decisive: boolean): Compile {
  return (values, compile) => {
    const parts = values.map(compile)
    return (data, evaluation) => {
      evaluation.meter.charge(ofPart)
      let value: Json = null
      for (const part of parts) {
        value = part(data, evaluation)
        if (truthy(value) === decisive) break
      }
      return value
    }
  }
}

/** Returns the type of `and` or `or`: of the first argument that decides it, or of the last one. */
export function typesOfJunction({ name, args, place, scope, read, tell }: RuleUse): Type {
  const results: Type[] = []
  let inner = scope
  for (const [index, arg] of args.entries()) {
    const type = read(arg, place(index), inner)
    const last = index === args.length - 1
    if (!last || name === 'and') pitfallOfOr(arg, place(index), { tell })
    if (name === 'and' && typeof arg === 'string')
      tell('logic_pitfall', place(index), 'this is a text, not a condition, and always counts as true; a comparison is {"==": [{"var": …}, …]}')
    const ending = name === 'or' ? truthyPart(type) : falsy(type)
    const going = name === 'or' ? falsy(type) : truthyPart(type)
    if (!last && isNever(going) && !isNever(type) && operation(arg) === null && typeof arg !== 'boolean') {
      tell(
        'logic_pitfall',
        place(index),
        `\`${name}\` stops here, because ${describe(type)} always counts as ${name === 'or' ? 'true' : 'false'}; to compare with several values, use \`in\` with a list`,
      )
    }
    results.push(last ? type : ending)
    inner = { ...inner, environment: withFacts(inner.environment, factsOfRule(arg, name === 'and')) }
  }
  return present(unionOf(results))
}
