import type { WhereClause } from '@jetstreamapp/soql-parser-js'
import type { Field } from '../org/field.ts'
import { idFrom } from '../org/ids.ts'
import type { Org } from '../org/org.ts'
import type { Row, Value } from '../org/row.ts'
import type { ObjectType } from '../org/schema.ts'
import { millisecondsOf } from '../org/times.ts'
import { invalidField, malformed, Refused } from '../replies.ts'
import { type Leaf, type Tree, treeOf } from './conditions.ts'
import { type Span, spanOf } from './dates.ts'
import { patternOf, textOf } from './literals.ts'
import { pathOf, valueAt } from './paths.ts'

export type Fits = (row: Row) => boolean
/** Returns the ids that a semi-join selects. */
export type Subselect = (leaf: Leaf) => readonly Value[]

/** Returns a filter for a WHERE clause. Raises the platform's errors before it reads any row. */
export function filterOf(org: Org, object: ObjectType, where: WhereClause | undefined, subselect: Subselect): Fits {
  if (!where) return () => true
  const compile = (tree: Tree): Fits => {
    if (tree.kind === 'test') return testOf(org, object, tree.condition, subselect)
    if (tree.kind === 'not') {
      const inner = compile(tree.of)
      return (row) => !inner(row)
    }
    const parts = tree.of.map(compile)
    return tree.kind === 'and' ? (row) => parts.every((part) => part(row)) : (row) => parts.some((part) => part(row))
  }
  return compile(treeOf(where))
}

function testOf(org: Org, object: ObjectType, leaf: Leaf, subselect: Subselect): Fits {
  if (!('field' in leaf)) throw malformed('the simulator has no functions in WHERE')
  const path = pathOf(object, leaf.field)
  const { field } = path
  if (!field.filterable) throw invalidField(`field '${field.name}' can not be filtered in a query call`)
  const test = 'valueQuery' in leaf ? among(leaf.operator, subselect(leaf)) : compare(org, field, leaf)
  return (row) => test(valueAt(org, path, row))
}

type Test = (value: Value) => boolean

function among(operator: string, values: readonly Value[]): Test {
  if (operator !== 'IN' && operator !== 'NOT IN') throw malformed('a subquery follows IN or NOT IN only')
  return (value) => values.includes(value) === (operator === 'IN')
}

function compare(org: Org, field: Field, leaf: Leaf): Test {
  if (!('value' in leaf)) throw malformed('unexpected condition')
  const { operator, value, literalType } = leaf
  const kinds = Array.isArray(literalType) ? literalType : [literalType]
  if (operator === 'IN' || operator === 'NOT IN') {
    const list = Array.isArray(value) ? value : [value]
    const tests = list.map((one, at) => equal(org, field, one, kinds[at] ?? kinds[0]))
    return (found) => tests.some((test) => test(found)) === (operator === 'IN')
  }
  if (typeof value !== 'string') throw malformed(`unexpected list after ${operator}`)
  const kind = kinds[0]
  if (operator === 'LIKE') {
    if (!isText(field)) throw new Refused(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid operator on ${field.type} field`)
    if (kind !== 'STRING') throw wrongType(field)
    const pattern = patternOf(value)
    return (found) => typeof found === 'string' && pattern.test(found)
  }
  if (operator === '=') return equal(org, field, value, kind)
  if (operator === '!=') {
    const same = equal(org, field, value, kind)
    return (found) => !same(found)
  }
  if (operator === 'INCLUDES' || operator === 'EXCLUDES') throw malformed(`${operator} is for multi-select picklists`)
  return order(org, field, operator, value, kind)
}

function equal(org: Org, field: Field, literal: string, kind: string | undefined): Test {
  if (kind === 'NULL') return (found) => found === null
  const span = spanFor(org, field, literal, kind)
  if (span) return (found) => inside(found, (time) => time >= span.from && time < span.to)
  const wanted = scalar(field, literal, kind)
  return (found) => key(field, found) === wanted
}

function order(org: Org, field: Field, operator: string, literal: string, kind: string | undefined): Test {
  if (kind === 'NULL' || field.type === 'boolean') throw new Refused(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid operator on ${field.type} field`)
  const span = spanFor(org, field, literal, kind)
  if (span) {
    const bound = { '<': span.from, '>=': span.from, '>': span.to, '<=': span.to }[operator] ?? 0
    // `>` means after the whole range. The last moment of the range is before `to`.
    return (found) => inside(found, (time) => (operator === '<' || operator === '<=' ? time < bound : time >= bound))
  }
  const wanted = scalar(field, literal, kind)
  return (found) => {
    const standing = key(field, found)
    if (standing === null || typeof standing !== typeof wanted) return false
    if (operator === '<') return standing < wanted
    if (operator === '<=') return standing <= wanted
    return operator === '>' ? standing > wanted : standing >= wanted
  }
}

function inside(found: Value, test: (time: number) => boolean): boolean {
  const time = typeof found === 'string' ? millisecondsOf(found) : null
  return time !== null && test(time)
}

/** Returns a time as a range. Comparisons use ranges, and a moment is the shortest one. */
function spanFor(org: Org, field: Field, literal: string, kind: string | undefined): Span | null {
  if (field.type !== 'datetime') return null
  if (kind === 'DATE_LITERAL' || kind === 'DATE_N_LITERAL') return spanOf(literal, org.now())
  if (kind !== 'DATETIME') throw wrongType(field)
  const time = millisecondsOf(literal)
  if (time === null) throw malformed(`${literal} is no time`)
  return { from: time, to: time + 1 }
}

const textTypes = ['string', 'textarea', 'email', 'phone', 'url', 'picklist']
const numberTypes = ['double', 'currency', 'int']

function isText(field: Field): boolean {
  return textTypes.includes(field.type)
}

/** Returns the literal's value for comparison. Raises INVALID_FIELD if its type is not the field's. */
function scalar(field: Field, literal: string, kind: string | undefined): string | number | boolean {
  if (isText(field)) {
    if (kind !== 'STRING') throw wrongType(field)
    return textOf(literal).toLowerCase()
  }
  if (field.type === 'id' || field.type === 'reference') {
    if (kind !== 'STRING') throw wrongType(field)
    const id = idFrom(textOf(literal))
    if (id === null) throw new Refused(400, 'INVALID_QUERY_FILTER_OPERATOR', `invalid ID field: ${textOf(literal)}`)
    return id
  }
  if (field.type === 'boolean') {
    if (kind !== 'BOOLEAN') throw wrongType(field)
    return literal.toUpperCase() === 'TRUE'
  }
  if (!numberTypes.includes(field.type) || (kind !== 'INTEGER' && kind !== 'DECIMAL')) throw wrongType(field)
  return Number(literal)
}

function key(field: Field, value: Value): Value {
  return isText(field) && typeof value === 'string' ? value.toLowerCase() : value
}

function wrongType(field: Field): Refused {
  const type = { datetime: 'dateTime', id: 'ID', reference: 'ID' }[field.type as string] ?? (isText(field) ? 'string' : field.type)
  const quotes = isText(field) || type === 'ID' ? 'should be enclosed in quotes' : 'should not be enclosed in quotes'
  return invalidField(`value of filter criterion for field '${field.name}' must be of type ${type} and ${quotes}`)
}
