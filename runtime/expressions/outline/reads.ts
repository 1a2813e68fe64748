import { type PropertyAccessToken, type RangeToken, type Token, TypeGuards, type Value } from 'liquidjs'
import { mayNameMissing, writtenKey } from '../liquid/index.ts'
import type { Path } from '../types.ts'

/** A path that a template reads. */
export interface PathRead {
  /** From the roots, up to its first computed part. */
  readonly path: Path
  /** The offset in the string, in characters from 0. */
  readonly offset: number
  /** Whether the template works without the value: `| default:` comes first, or the value is tested. */
  readonly guarded: boolean
}

/** What a template may do without: in tests and before `| default:`, a missing value is null. */
type Missing = 'null' | 'error'

/** Yields what a value reads. Liquid evaluates both sides of `and` and `or`, and all arguments of filters. */
export function* readsOfValue({ initial, filters }: Value, missing: Missing): Generator<PathRead> {
  const lenient = filters[0]?.name === 'default' ? 'null' : missing
  for (const token of initial.postfix) yield* readsOfToken(token, lenient)
  for (const [at, { args }] of filters.entries()) {
    for (const [index, argument] of args.entries()) {
      const token = Array.isArray(argument) ? argument[1] : argument
      if (token !== undefined) yield* readsOfToken(token, index === 0 && !Array.isArray(argument) && mayNameMissing(filters, at) ? 'null' : 'error')
    }
  }
}

/** Yields what a token reads. In its brackets, and as an end of a range, a missing value is always an error. */
export function* readsOfToken(token: Token, missing: Missing): Generator<PathRead> {
  if (TypeGuards.isRangeToken(token)) {
    const { lhs, rhs } = token as RangeToken
    yield* readsOfToken(lhs, 'error')
    yield* readsOfToken(rhs, 'error')
    return
  }
  if (!TypeGuards.isPropertyAccessToken(token)) return
  const { variable, props, begin } = token as PropertyAccessToken
  for (const key of props) yield* readsOfToken(key, 'error')
  if (variable !== undefined) return yield* readsOfToken(variable, missing)
  const keys = props.map(writtenKey)
  const computed = keys.indexOf(null)
  const path = keys.slice(0, computed < 0 ? undefined : computed) as readonly string[]
  yield { path, offset: begin, guarded: missing === 'null' }
}
