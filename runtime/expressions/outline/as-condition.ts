import { type LiteralToken, type NumberToken, type QuotedToken, type Token, TypeGuards } from 'liquidjs'
import type { Json } from '../../domain/index.ts'
import { emptyWords, holdsForNull, literalValue, mirrored, type Node, writtenKey } from '../liquid/index.ts'
import type { Path } from '../types.ts'

/** Tells whether the value at a path is certainly a boolean if it is there and not null. */
type IsBoolean = (path: Path) => boolean

/**
 * A test of a template, as a condition that holds exactly if Liquid takes the test for true. What no condition can say stands in it as an
 * unknown operator. That reads nothing, so nothing is concluded from it.
 */
export type Test = (isBoolean: IsBoolean) => Json

/** Returns a test of which nothing is known. Two with the same offset have the same result. */
export function opaque(offset: number): Test {
  return () => ({ liquid: [offset] })
}

export function not(test: Test): Test {
  return (isBoolean) => ({ '!': [test(isBoolean)] })
}

function allOf(tests: readonly Test[]): Test {
  return (isBoolean) => ({ and: tests.map((test) => test(isBoolean)) })
}

export function anyOf(tests: readonly Test[]): Test {
  return (isBoolean) => ({ or: tests.map((test) => test(isBoolean)) })
}

/** Returns what Liquid tests if an expression stands in an `if`. @param hiding names that the template sets, so that they may not be roots */
export function testOf(node: Node, hiding: ReadonlySet<string>): Test {
  if (!('operator' in node)) return countsAsTrue(node.token, hiding)
  const { operator, operands, token } = node
  const [left, right] = operands
  if (left === undefined) return opaque(token.begin)
  if (operator === 'not') return not(testOf(left, hiding))
  if (right === undefined) return opaque(token.begin)
  if (operator === 'and' || operator === 'or') {
    const tests = chained(node).map((part) => testOf(part, hiding))
    return operator === 'and' ? allOf(tests) : anyOf(tests)
  }
  if (operator === '==') return equals(left, right, hiding)
  if (operator === '!=') return not(equals(left, right, hiding))
  if (operator === 'contains') return contains(left, right, hiding)
  const other = mirrored[operator]
  const order = other === undefined ? null : (ordered(operator, left, right, hiding) ?? ordered(other, right, left, hiding))
  return order ?? opaque(token.begin)
}

/** Returns the parts of a chain of one operator. Liquid nests it in the second operand. */
function chained(node: Extract<Node, { operator: string }>): readonly Node[] {
  const parts: Node[] = []
  let at: Node = node
  while ('operator' in at && at.operator === node.operator) {
    const [left, right]: readonly Node[] = at.operands
    if (left === undefined || right === undefined) break
    parts.push(left)
    at = right
  }
  return [...parts, at]
}

type Scalar = string | number | boolean | null

/** What a test reads: a path that a condition reads in the same way (`exact`), or the longest beginning of it. */
interface Place {
  readonly path: Path
  readonly exact: boolean
}

/** Members that Liquid computes, or finds in lists and texts. A condition would look for a member of that name. */
const computed: ReadonlySet<string> = new Set(['size', 'first', 'last', 'length'])

/** Null: the token reads no step, variable or other root. */
function placeOf(token: Token, hiding: ReadonlySet<string>): Place | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return null
  const keys = token.props.map(writtenKey)
  const end = keys.findIndex((key, index) => key === null || !/^[A-Za-z_][\w-]*$/.test(key) || (index > 0 && computed.has(key)))
  const path = keys.slice(0, end < 0 ? undefined : end) as readonly string[]
  return path[0] === undefined || hiding.has(path[0]) ? null : { path, exact: end < 0 }
}

function read({ path }: Place): Json {
  return { var: [path.join('.'), null] }
}

function isThere(place: Place): Test {
  return () => ({ '!=': [read(place), null] })
}

function isNull(place: Place): Test {
  return () => ({ '==': [read(place), null] })
}

/** What counts as true in Liquid: everything but null and false. In a condition, 0, an empty text and an empty list count as false, too. */
function countsAsTrue(token: Token, hiding: ReadonlySet<string>): Test {
  const written = writtenValue(token)
  if (written !== undefined) return () => written !== null && written !== false
  const place = placeOf(token, hiding)
  if (place === null) return opaque(token.begin)
  if (!place.exact) return allOf([isThere(place), opaque(token.begin)])
  const test = { '!': [{ in: [read(place), [null, false]] }] }
  return (isBoolean) => (isBoolean(place.path) ? read(place) : test)
}

/** Returns whether two values are equal. */
export function equals(left: Node, right: Node, hiding: ReadonlySet<string>): Test {
  // The later one: a `case` compares the same value again and again.
  const unknown = opaque(Math.max(left.token.begin, right.token.begin))
  if ('operator' in left || 'operator' in right) return unknown
  const [from, to] = writtenValue(left.token) === undefined && !isEmptyWord(left.token) ? [left.token, right.token] : [right.token, left.token]
  const place = placeOf(from, hiding)
  const written = writtenValue(to)
  if (place === null) return unknown
  if (isEmptyWord(to)) return to.literal === 'blank' ? anyOf([isNull(place), unknown]) : allOf([isThere(place), unknown])
  if (written === undefined) return unknown
  if (!place.exact) return written === null ? anyOf([isNull(place), unknown]) : allOf([isThere(place), unknown])
  // In a condition, `==` compares values of one type only. Null compares with anything.
  if (typeof written !== 'boolean') return () => ({ '==': [read(place), written] })
  const counts = written ? read(place) : { '!': [read(place)] }
  const test = { and: [{ in: [read(place), [written]] }, counts] }
  return (isBoolean) => (written && isBoolean(place.path) ? counts : test)
}

/** Returns whether a text or list contains a value. Null contains nothing. */
function contains(left: Node, right: Node, hiding: ReadonlySet<string>): Test {
  const unknown = opaque(left.token.begin)
  const place = 'operator' in left ? null : placeOf(left.token, hiding)
  if (place === null) return unknown
  const written = 'operator' in right ? undefined : writtenValue(right.token)
  return allOf([isThere(place), place.exact && typeof written === 'string' ? () => ({ in: [written, read(place)] }) : unknown])
}

/** Returns whether a value is less, or more, than one that is written out. Null: neither, or both, are written out. */
function ordered(operator: string, left: Node, right: Node, hiding: ReadonlySet<string>): Test | null {
  if ('operator' in left || 'operator' in right) return null
  const place = placeOf(left.token, hiding)
  const written = writtenValue(right.token)
  if (place === null || (typeof written !== 'number' && typeof written !== 'string')) return null
  const unknown = opaque(left.token.begin)
  const parts = place.exact ? [(): Json => ({ [operator]: [read(place), written] })] : [unknown]
  // If the two cannot be compared, neither `<=` nor `>` holds. Conditions take one for the opposite of the other.
  if (operator.endsWith('=')) parts.push(unknown)
  // Liquid takes null for 0 here.
  return holdsForNull(operator, written) ? anyOf([isNull(place), allOf(parts)]) : allOf([isThere(place), ...parts])
}

/** Returns the value of a constant. Undefined: it is not one, or a word that equals several values. */
function writtenValue(token: Token): Scalar | undefined {
  if (TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token)) return (token as QuotedToken | NumberToken).content
  if (!TypeGuards.isLiteralToken(token) || isEmptyWord(token)) return undefined
  return literalValue(token) as Scalar
}

function isEmptyWord(token: Token): token is LiteralToken {
  return TypeGuards.isLiteralToken(token) && emptyWords.has(token.literal)
}
