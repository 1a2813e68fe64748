import type { Json } from '../../../domain/index.ts'
import { boolean } from '../../typing/model/index.ts'
import type { ValueOperator } from '../definition.ts'
import { momentOf, needTime } from './moment.ts'

/** `before` and `after` are one definition with the comparison as its parameter. */
function comparedTimes(name: string, test: (a: number, b: number) => boolean, text: string, example: Json): ValueOperator {
  return {
    name,
    text,
    example,
    from: 'tocsin',
    takes: [2, 2],
    ofItself: false,
    evaluate: (meter, a, b) => test(momentOf(meter, a), momentOf(meter, b)),
    types(call) {
      needTime(call, 0)
      needTime(call, 1)
      return boolean
    },
  }
}

export const before = comparedTimes('before', (a, b) => a < b, 'whether a time (ISO 8601 or epoch milliseconds) is before another', {
  before: [{ var: 'vars.seen' }, { var: 'run.now' }],
})

export const after = comparedTimes('after', (a, b) => a > b, 'whether a time is after another', {
  after: [{ var: 'vars.seen' }, { var: 'run.now' }],
})
