import { number } from '../../typing/model/index.ts'
import type { SpecialOperator } from '../definition.ts'
import { ofPart, refusal } from '../part.ts'
import { lookUp } from '../reading/path.ts'
import { momentOf, needTime } from './moment.ts'

const now = ['run', 'now']

export const age: SpecialOperator = {
  name: 'age',
  text: 'milliseconds from a time until `run.now`',
  example: { age: { var: 'vars.seen' } },
  from: 'tocsin',
  takes: [1, 1],
  readsContext: true,
  loops: false,
  compile([value = null], compile) {
    const part = compile(value)
    return (data, evaluation) => {
      const { meter, context } = evaluation
      meter.charge(ofPart)
      const given = part(data, evaluation)
      try {
        return momentOf(meter, lookUp(context, now)) - momentOf(meter, given)
      } catch (error) {
        throw refusal('age', error)
      }
    }
  },
  types(use) {
    needTime(use.evaluated(), 0)
    return number
  },
}
