import type { Json } from '../../../domain/index.ts'
import { compilePattern, patternIn } from '../../pattern/index.ts'
import { boolean, type Type } from '../../typing/model/index.ts'
import { kindOf, textOf } from '../../values.ts'
import { Meter, mostFolded } from '../../work.ts'
import { decided, isLiteral, need, type OperatorCall } from '../call.ts'
import type { ValueOperator } from '../definition.ts'

/** Compiles a constant pattern once. */
function prepare([value = null, source]: readonly Json[]): ReturnType<NonNullable<ValueOperator['prepare']>> {
  if (typeof source !== 'string') return null
  const pattern = compilePattern(source)
  return {
    values: [value],
    evaluate(meter, text) {
      if (typeof text !== 'string') throw new Error(`needs a text, not ${kindOf(text)}`)
      return pattern.test(text, meter)
    },
  }
}

function types(call: OperatorCall): Type {
  const [value, pattern] = call.args
  const fit = [need(call, 0, ['text'], 'a text'), need(call, 1, ['text'], 'a pattern: a text')]
  if (fit.includes(false) || value === undefined || pattern === undefined) return boolean
  if (isLiteral(value) && !isLiteral(pattern)) {
    call.tell('arguments_swapped', call.at, '`matches` takes the text first and then the pattern; these seem to be swapped')
    return boolean
  }
  const meter = new Meter(null, mostFolded)
  return decided(call, (text, source) => {
    try {
      return compilePattern(source).test(text, meter)
    } catch {
      // A bad pattern has a finding of its own. Otherwise this takes too much work.
      return true
    }
  })
}

export const matches: ValueOperator = {
  name: 'matches',
  text: 'whether an RE2 pattern matches anywhere in the text',
  example: { matches: [{ var: 'vars.user' }, '(?i)@example\\.com$'] },
  from: 'tocsin',
  takes: [2, 2],
  ofItself: null,
  evaluate: (meter, value, pattern) => patternIn(meter, textOf(pattern)).test(textOf(value), meter),
  prepare,
  types,
}
