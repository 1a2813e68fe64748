import type { Json } from '../../../domain/index.ts'
import { listOf, text } from '../../typing/model/index.ts'
import type { SpecialOperator } from '../definition.ts'
import { compileMissing, typeOfPath } from './path.ts'

export const missingSome: SpecialOperator = {
  name: 'missing_some',
  text: 'the missing paths; an empty list if at least the given number is there',
  example: { missing_some: [1, ['vars.user', 'vars.nobody']] },
  from: 'json-logic',
  takes: [2, 2],
  readsContext: true,
  loops: false,
  compile([least = 0, keys = []]) {
    const all = keys as readonly Json[]
    const missing = compileMissing(all)
    return (data, { meter }) => {
      const absent = missing(data, meter)
      return all.length - absent.length >= Number(least) ? [] : absent
    }
  },
  types(use) {
    const { args, place, scope } = use
    const paths = Array.isArray(args[1]) ? (args[1] as readonly Json[]) : []
    for (const [index, path] of paths.entries()) {
      if (typeof path === 'string') typeOfPath(path.split('.'), [...place(1), index], scope, use)
    }
    return listOf(text)
  },
}
