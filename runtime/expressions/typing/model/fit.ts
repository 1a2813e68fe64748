import { hint, type Misspelling, misspelling } from '../../../yaml/index.ts'
import type { Path } from '../../types.ts'
import { boundedly, step } from './effort.ts'
import { intersect } from './intersect.ts'
import { show } from './show.ts'
import { isAny, isNever, type Kind, kindsOf, type ListType, type ObjectType, only, type Type, valuesOf } from './type.ts'

/** Why a value does not fit, or may not. */
interface Misfit {
  /** The path of the member that does not fit, from the value down. */
  readonly path: Path
  /** Says what is there and what is needed, without the name of the member. */
  readonly message: string
  /** Set if the value or name is certainly a misspelling. */
  readonly misspelt?: Misspelling
}

/** Whether a value of one type fits where another type is needed: `always`, `never`, or `perhaps`, with what may be wrong. */
export type Fit = { readonly fits: 'always' } | { readonly fits: 'perhaps' | 'never'; readonly misfit: Misfit }

const always: Fit = { fits: 'always' }

/** Returns whether a value of the type `given` fits where `needed` is needed. Does not check whether the value itself is missing. */
export function fitOf(given: Type, needed: Type, path: Path = []): Fit {
  return boundedly(() => fitWithin(given, needed, path), always)
}

function fitWithin(given: Type, needed: Type, path: Path): Fit {
  step(1 + (given.object?.fields.size ?? 0) + (needed.object?.fields.size ?? 0))
  if (isNever(given) || isAny(needed)) return always
  if (isAny(given)) return perhaps(path, `is ${show(given)}, and must be ${show(needed)}`)
  const kinds = kindsOf(given)
  const parts = kinds.map((kind) => fitOfKind(kind, given, needed, path))
  const bad = parts.filter((part) => part.fits === 'never')
  const worst = bad[0] ?? parts.find((part) => part.fits === 'perhaps')
  if (worst === undefined || worst.fits === 'always') return always
  if (bad.length < parts.length) return { fits: 'perhaps', misfit: worst.misfit }
  // If there is only one kind, its own message says most.
  return parts.length === 1 ? worst : never(path, `is ${show(given)}, and must be ${show(needed)}`)
}

function never(path: Path, message: string, meant: Pick<Misfit, 'misspelt'> = {}): Fit {
  return { fits: 'never', misfit: { path, message, ...meant } }
}

function perhaps(path: Path, message: string): Fit {
  return { fits: 'perhaps', misfit: { path, message } }
}

function fitOfKind(kind: Kind, given: Type, needed: Type, path: Path): Fit {
  const part = only(given, kind)
  if (kind === 'object' && given.object !== null && needed.object !== null) return fitOfObject(given.object, needed.object, path)
  if (kind === 'list' && given.list !== null && needed.list !== null) return fitOfList(given.list, needed.list, path)
  const met = intersect(part, only(needed, kind))
  const unfit = `is ${show(part)}, and must be ${show(needed)}`
  if (isNever(met)) return unmet(part, needed, path, unfit)
  const values = valuesOf(part)
  const left = valuesOf(met)
  if (values !== null && left !== null) return left.length === values.length ? always : perhaps(path, unfit)
  const limited =
    (kind === 'text' && needed.text?.values != null) || (kind === 'number' && (needed.number?.values != null || wholeOnly(given, needed)))
  if (limited) return perhaps(path, unfit)
  return kind === 'text' ? fitOfFormat(given, needed, path, unfit) : always
}

function wholeOnly(given: Type, needed: Type): boolean {
  return needed.number?.integer === true && given.number?.integer !== true
}

function unmet(part: Type, needed: Type, path: Path, message: string): Fit {
  const values = valuesOf(part)
  const one = values?.length === 1 && typeof values[0] === 'string' ? values[0] : null
  const allowed = needed.text?.values ?? []
  return one === null ? never(path, message) : never(path, `${message}${hint(one, allowed)}`, misspelling(one, allowed))
}

/** The family of each format. No text has formats of two families. Formats without a family may overlap with others. */
const families: Readonly<Record<string, string>> = {
  email: 'email',
  ip: 'ip',
  ipv4: 'ip',
  ipv6: 'ip',
  uri: 'uri',
  uuid: 'uuid',
  'date-time': 'date-time',
  date: 'date',
}

function fitOfFormat(given: Type, needed: Type, path: Path, message: string): Fit {
  const wanted = needed.text?.format ?? null
  const format = given.text?.format ?? null
  if (wanted === null || wanted === format) return always
  const a = families[format ?? '']
  const b = families[wanted]
  return a !== undefined && b !== undefined && a !== b ? never(path, message) : perhaps(path, message)
}

function fitOfList(given: ListType, needed: ListType, path: Path): Fit {
  const items = fitOf(given.items, needed.items, [...path, '*'])
  // If no item can fit, the list counts as wrong too, although an empty list would fit.
  if (items.fits === 'always' && given.least < needed.least) return perhaps(path, `must have at least ${needed.least} items`)
  return items
}

function fitOfObject(given: ObjectType, needed: ObjectType, path: Path): Fit {
  const parts = [...new Set([...needed.fields.keys(), ...given.fields.keys()])].map((name) => fitOfMember(name, given, needed, path))
  return parts.find(({ fits }) => fits === 'never') ?? parts.find(({ fits }) => fits === 'perhaps') ?? always
}

function fitOfMember(name: string, given: ObjectType, needed: ObjectType, path: Path): Fit {
  const at = [...path, name]
  const value = given.fields.get(name) ?? given.rest
  const target = needed.fields.get(name)
  if (target === undefined) {
    if (needed.others !== 'closed') return fitOf(value, needed.rest, at)
    if (isNever(value)) return always
    const message = `is not a member here${hint(name, needed.fields.keys())}`
    return value.absence === 'no' ? never(at, message, misspelling(name, needed.fields.keys())) : perhaps(at, message)
  }
  if (isNever(value)) return target.absence === 'no' ? never(at, 'is missing') : always
  const found = fitOf(value, target, at)
  if (value.absence !== 'maybe') return found
  if (target.absence === 'no' && found.fits !== 'never') return perhaps(at, 'may be missing')
  // The value may be missing, and the schema allows that. So a value that never fits is only a possible mistake.
  return found.fits === 'never' && target.absence !== 'no' ? { fits: 'perhaps', misfit: found.misfit } : found
}
