import { Drop, defaultOperators, isTruthy, toValue } from 'liquidjs'
import { ofCharacters, ofKeys, ofSearch } from '../cost.ts'
import { compareLong } from '../long-integer.ts'
import type { Meter } from '../work.ts'
import { meterOf } from './context.ts'
import { textLength } from './cost.ts'

type Operators = typeof defaultOperators
type Scope = Parameters<typeof isTruthy>[1]
type Handler = (left: unknown, right: unknown, context: Scope) => boolean | Generator<unknown, boolean, never>

/** The least work of an operator, in units. */
const ofOperator = 20

function original(name: string): Handler {
  return defaultOperators[name] as unknown as Handler
}

/** Equality as in Liquid: lists are compared by their items, objects by identity. */
function equal(meter: Meter, a: unknown, b: unknown): boolean {
  meter.charge(2)
  const [left, right] = [toValue(a), toValue(b)] as readonly unknown[]
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) meter.charge(ofCharacters(left.length))
  if (!Array.isArray(left)) return left === right
  if (!Array.isArray(right) || left.length !== right.length) return false
  return left.every((item: unknown, index) => equal(meter, item, right[index]))
}

/** Charges for a comparison with `empty`, `blank` or `nil`, which look at the whole value. */
function payForLooking(meter: Meter, value: unknown): void {
  if (typeof value === 'string') meter.charge(ofCharacters(value.length))
  else if (typeof value === 'object' && value !== null && !Array.isArray(value)) meter.charge(ofKeys(Object.keys(value).length))
}

const equals: Handler = (left, right, context) => {
  const meter = meterOf(context)
  meter.charge(ofOperator)
  if (!(left instanceof Drop || right instanceof Drop)) return equal(meter, left, right)
  payForLooking(meter, left instanceof Drop ? right : left)
  return original('==')(left, right, context)
}

const differs: Handler = (left, right, context) => {
  const same = equals(left, right, context)
  return typeof same === 'boolean' ? !same : original('!=')(left, right, context)
}

const contains: Handler = (left, right, context) => {
  const meter = meterOf(context)
  meter.charge(ofOperator)
  const where: unknown = toValue(left)
  if (Array.isArray(where)) {
    if (!(right instanceof Drop)) return where.some((item: unknown) => equal(meter, item, right))
    meter.charge(where.length * ofOperator)
  }
  const what: unknown = toValue(right)
  if (typeof where === 'string') meter.charge(typeof what === 'string' ? ofSearch(where, what) : textLength(meter, what) + where.length)
  return original('contains')(left, right, context)
}

/** Returns an operator that compares texts by their characters, and lists as texts. */
function ordered(name: string): Handler {
  return (left, right, context) => {
    const meter = meterOf(context)
    meter.charge(ofOperator)
    textLength(meter, left)
    textLength(meter, right)
    const order = compareLong(toValue(left), toValue(right))
    return order === null ? original(name)(left, right, context) : original(name)(order, 0, context)
  }
}

function holds(context: Scope, value: unknown): boolean {
  meterOf(context).charge(ofOperator)
  return isTruthy(toValue(value), context)
}

/** Liquid's operators. Each charges for its work. */
export const operators = {
  '==': equals,
  '!=': differs,
  contains,
  '<': ordered('<'),
  '<=': ordered('<='),
  '>': ordered('>'),
  '>=': ordered('>='),
  and: (left: unknown, right: unknown, context: Scope) => holds(context, left) && holds(context, right),
  or: (left: unknown, right: unknown, context: Scope) => holds(context, left) || holds(context, right),
  not: (value: unknown, context: Scope) => !holds(context, value),
} as Readonly<Record<string, unknown>> as Operators
