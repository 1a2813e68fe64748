import { any, isAny, isNever, present, show, showKinds, type Type, union, without } from '../../typing/model/index.ts'
import { readOf } from '../../typing/rules/facts.ts'
import type { RuleUse } from '../../typing/rules/scope.ts'
import type { SpecialOperator } from '../definition.ts'
import type { Compile } from '../part.ts'
import { lookUp, ofPath, pathOf, typeOfPath } from './path.ts'

const compile: Compile = ([key = '', ...rest], compilePart) => {
  const path = pathOf(key)
  const work = ofPath(path)
  const fallback = rest.length === 0 ? null : compilePart(rest[0] ?? null)
  return (data, evaluation) => {
    evaluation.meter.charge(work)
    const otherwise = fallback?.(data, evaluation)
    const value = lookUp(data, path)
    if (value !== undefined) return value
    if (otherwise !== undefined) return otherwise
    const name = String(key)
    const scope = data === evaluation.context ? '' : ' (inside a loop `var` reads from the item)'
    throw new Error(`${name} is not there${scope}; if it may be missing, give it a default: {"var": ["${name}", null]}`)
  }
}

function types(use: RuleUse): Type {
  const { rule, place, scope } = use
  const read = readOf(rule)
  if (read === null) return any
  const type = typeOfPath(read.path, place(0), scope, use)
  if (read.fallback === undefined) {
    if (type.absence === 'maybe') tellMissing(use, type, read.path.join('.'))
    return isNever(type) ? any : present(type)
  }
  const fallback = use.read(read.fallback, place(1), scope)
  checkDefault(use, type, fallback, read.path)
  return type.absence === 'no' ? type : isNever(type) ? fallback : union(present(type), fallback)
}

function tellMissing({ tell, place }: RuleUse, type: Type, name: string): void {
  if (isNever(type)) return tell('value_missing', place(0), `\`${name}\` is always missing, which is an error without a default`)
  const known = isAny(type) ? '' : ` (${show(type)})`
  tell('value_may_be_missing', place(0), `\`${name}\`${known} may be missing, which is an error; give it a default: {"var": ["${name}", null]}`)
}

/** Reports a default of another kind than the value. A comparison that suits one of them fails with the other. */
function checkDefault({ tell, place }: RuleUse, type: Type, fallback: Type, path: readonly string[]): void {
  const value = without(type, 'null')
  const other = without(fallback, 'null')
  if (isAny(type) || isNever(value) || isNever(other) || isAny(fallback)) return
  const shared = (['boolean', 'number', 'text', 'list', 'object'] as const).some((kind) => {
    const [a, b] = [value[kind], other[kind]]
    return Array.isArray(a) && Array.isArray(b) ? a.length > 0 && b.length > 0 : !Array.isArray(a) && a !== null && b !== null
  })
  if (shared) return
  tell(
    'logic_pitfall',
    place(1),
    `the default is ${showKinds(other)}, and \`${path.join('.')}\` ${showKinds(value)}: a comparison that suits one fails with the other`,
  )
}

export const variable: SpecialOperator = {
  name: 'var',
  text: 'the value at a path; if it is missing, the second argument, and without one an error',
  example: { var: ['vars.nobody', ''] },
  from: 'json-logic',
  takes: [1, 2],
  readsContext: true,
  loops: false,
  compile,
  types,
}
