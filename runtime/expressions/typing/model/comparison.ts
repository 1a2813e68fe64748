import { hint, type Misspelling, misspelling } from '../../../yaml/index.ts'
import { intersect } from './intersect.ts'
import { show, showKinds } from './show.ts'
import { isNever, type Type, valuesOf, without } from './type.ts'

/** Why two values are never equal. */
export interface Impossible {
  /** Whether they are of different kinds, and not only different values of one. */
  readonly kinds: boolean
  readonly message: string
  /** The value that was meant, where that is certain. */
  readonly misspelt?: Misspelling
}

/** Why no value of one type equals one of the other; null when some may. Null itself counts on neither side. */
export function impossible(a: Type, b: Type): Impossible | null {
  const left = without(a, 'null')
  const right = without(b, 'null')
  if (isNever(left) || isNever(right) || !isNever(intersect(left, right))) return null
  if (!sharesKind(left, right)) return { kinds: true, message: `${showKinds(left)} never equals ${showKinds(right)}` }
  const values = valuesOf(right)
  const one = values?.length === 1 && typeof values[0] === 'string' ? values[0] : null
  const message = `the value is ${show(left)}, and never ${show(right)}`
  const allowed = left.text?.values ?? []
  return one === null ? { kinds: false, message } : { kinds: false, message: `${message}${hint(one, allowed)}`, ...misspelling(one, allowed) }
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
