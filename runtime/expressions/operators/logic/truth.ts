import type { Json } from '../../../domain/index.ts'
import { boolean, describe, falsy, isAny, isNever, type Type, truthy as truthyPart } from '../../typing/model/index.ts'
import { pitfallOfOr } from '../../typing/rules/pitfalls.ts'
import { truthy } from '../../values.ts'
import type { Argument, OperatorCall } from '../call.ts'
import type { ValueOperator } from '../definition.ts'

/** `!` and `!!` are one definition: whether a value counts as true, negated or not. */
function truth(negated: boolean, name: string, text: string, example: Json): ValueOperator {
  return {
    name,
    text,
    example,
    from: 'json-logic',
    takes: [1, 1],
    evaluate: (_meter, value) => truthy(value) !== negated,
    types(call) {
      const [argument] = call.args
      if (argument === undefined) return boolean
      const { type, at, written } = argument
      tellPitfall(call, argument)
      pitfallOfOr(written, at, call)
      if (isNever(type)) return boolean
      const may: readonly boolean[] = [...(isNever(truthyPart(type)) ? [] : [!negated]), ...(isNever(falsy(type)) ? [] : [negated])]
      return { ...boolean, boolean: may } satisfies Type
    },
  }
}

/** Reports a constant list, and texts such as `"false"`, which count as true. */
function tellPitfall(call: OperatorCall, { written, type, at }: Argument): void {
  if (isAny(type)) return
  if (Array.isArray(written)) {
    return call.tell(
      'logic_pitfall',
      at,
      `\`${call.name}\` of a constant list asks whether it is empty; for its items use \`some\`, \`all\` or \`none\``,
    )
  }
  const misleading = type.text?.values?.find((value) => /^(?:false|no|off|0)$/i.test(value))
  if (misleading !== undefined)
    call.tell(
      'logic_pitfall',
      at,
      `every text that is not empty counts as true, "${misleading}" too; compare it instead (the value is ${describe(type)})`,
    )
}

export const not = truth(true, '!', 'whether a value does not count as true: an empty text, an empty list, 0, false or null', { '!': [[]] })

export const isTrue = truth(false, '!!', 'whether a value counts as true', { '!!': [{ var: 'vars.tags' }] })
