import { isLongInteger } from '../../../domain/index.ts'
import { hint, type Misspelling, misspelling } from '../../../yaml/index.ts'
import { intersect } from './intersect.ts'
import { show, showKinds } from './show.ts'
import { isNever, type Type, valuesOf, without } from './type.ts'

/** Why two values are never equal. */
export interface Impossible {
  /** True: they have different kinds. False: they have the same kind, but different values. */
  readonly kinds: boolean
  readonly message: string
  /** Set if the value is certainly a misspelling. */
  readonly misspelt?: Misspelling
}

/** Says why no value of one type equals a value of the other. Null if they may be equal. Ignores null on both sides. */
export function impossible(a: Type, b: Type): Impossible | null {
  const left = without(a, 'null')
  const right = without(b, 'null')
  if (isNever(left) || isNever(right) || !isNever(intersect(left, right))) return null
  if (mayBeLong(left, right)) return null
  if (!sharesKind(left, right)) return { kinds: true, message: `${showKinds(left)} never equals ${showKinds(right)}` }
  const values = valuesOf(right)
  const one = values?.length === 1 && typeof values[0] === 'string' ? values[0] : null
  const message = `the value is ${show(left)}, and never ${show(right)}`
  const allowed = left.text?.values ?? []
  return one === null ? { kinds: false, message } : { kinds: false, message: `${message}${hint(one, allowed)}`, ...misspelling(one, allowed) }
}

/** Tells whether one type has an integer beyond 2^53, which is read as text, and the other one may have it as a number. */
export function mayBeLong(a: Type, b: Type): boolean {
  const isOneOf = (long: Type, number: Type): boolean =>
    number.number !== null && number.number.values === null && long.text?.values?.some(isLongInteger) === true
  return isOneOf(a, b) || isOneOf(b, a)
}

function sharesKind(a: Type, b: Type): boolean {
  return (
    (a.boolean.length > 0 && b.boolean.length > 0) ||
    (a.number !== null && b.number !== null) ||
    (a.text !== null && b.text !== null) ||
    (a.list !== null && b.list !== null) ||
    (a.object !== null && b.object !== null)
  )
}
