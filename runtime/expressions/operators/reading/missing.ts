import type { Json } from '../../../domain/index.ts'
import { listOf, text } from '../../typing/model/index.ts'
import { many, type SpecialOperator } from '../definition.ts'
import { compileMissing, typeOfPath } from './path.ts'

/** The paths can be written as one list or as several arguments. */
const listedIn = ([first]: readonly Json[]): readonly Json[] | null => (Array.isArray(first) ? (first as readonly Json[]) : null)

export const missing: SpecialOperator = {
  name: 'missing',
  text: 'those of the given paths that are missing, null or empty',
  example: { missing: ['vars.user', 'vars.nobody'] },
  from: 'json-logic',
  takes: [1, many],
  readsContext: true,
  loops: false,
  compile(values) {
    const find = compileMissing(listedIn(values) ?? values)
    return (data, { meter }) => find(data, meter)
  },
  types(use) {
    const { args, place, scope } = use
    const listed = listedIn(args)
    for (const [index, path] of (listed ?? args).entries()) {
      if (typeof path === 'string') typeOfPath(path.split('.'), listed === null ? place(index) : [...place(0), index], scope, use)
    }
    return listOf(text)
  },
}
