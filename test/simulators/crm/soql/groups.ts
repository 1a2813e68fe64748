import type { FieldFunctionExpression, FieldType, Query } from '@jetstreamapp/soql-parser-js'
import type { Org } from '../org/org.ts'
import type { Row, Value } from '../org/row.ts'
import type { ObjectType } from '../org/schema.ts'
import { malformed, Refused } from '../replies.ts'
import { type Criterion, ordered } from './order.ts'
import { type Path, pathOf, valueAt } from './paths.ts'

/** A column of an aggregate query: its name in the answer and its value for a group. */
interface Column {
  readonly name: string
  readonly raw: string
  readonly value: (rows: readonly Row[]) => Value
}

export function isAggregate(field: FieldType): field is FieldFunctionExpression {
  return field.type === 'FieldFunctionExpression' && field.isAggregateFn === true
}

/** Tells whether a query is a bare `SELECT COUNT()`. */
export function isCount({ fields = [], groupBy }: Query): boolean {
  const [only] = fields
  return (
    fields.length === 1 &&
    !groupBy &&
    only !== undefined &&
    isAggregate(only) &&
    only.functionName.toUpperCase() === 'COUNT' &&
    only.parameters.length === 0
  )
}

/**
 * Returns the rows of a query with aggregates or GROUP BY as the platform does: with the type
 * AggregateResult and without an address.
 */
export function grouped(org: Org, object: ObjectType, query: Query, rows: readonly Row[], ungroupable: ReadonlySet<string>): readonly object[] {
  if (!object.aggregatable) throw new Refused(400, 'MALFORMED_QUERY', `entity type ${object.name} does not support aggregate functions`)
  if (query.having) throw malformed('the simulator has no HAVING')
  const by = list(query.groupBy).map((clause) => {
    if (!('field' in clause)) throw malformed('the simulator groups by fields only')
    const path = pathOf(object, clause.field)
    if (!path.field.groupable || ungroupable.has(`${object.name}.${path.field.name}`))
      throw malformed(`field '${path.field.name}' can not be grouped in a query call`)
    return path
  })
  const columns = columnsOf(org, object, query, by)
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = JSON.stringify(by.map((path) => valueAt(org, path, row)))
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  if (by.length === 0 && groups.size === 0) groups.set('', [])
  const criteria = list(query.orderBy).map((clause): Criterion<readonly Row[]> => {
    const wanted = 'field' in clause ? clause.field : (clause.fn.rawValue ?? '')
    const column = columns.find(({ name, raw }) => [name.toLowerCase(), raw.toLowerCase()].includes(wanted.toLowerCase()))
    if (!column) throw malformed(`Field must be grouped or aggregated: ${wanted}`)
    return { value: column.value, descending: clause.order === 'DESC', nullsLast: clause.nulls === 'LAST' }
  })
  return ordered([...groups.values()], criteria).map((group) => ({
    attributes: { type: 'AggregateResult' },
    ...Object.fromEntries(columns.map(({ name, value }) => [name, value(group)])),
  }))
}

function columnsOf(org: Org, object: ObjectType, { fields = [] }: Query, by: readonly Path[]): readonly Column[] {
  let unnamed = 0
  return fields.map((field): Column => {
    if (isAggregate(field)) {
      const name = field.alias ?? `expr${unnamed++}`
      return { name, raw: field.rawValue ?? '', value: aggregateOf(org, object, field) }
    }
    if (field.type !== 'Field' && field.type !== 'FieldRelationship') throw malformed('only fields and aggregates can be selected here')
    const text = field.type === 'FieldRelationship' ? (field.rawValue ?? '') : field.field
    const path = pathOf(object, text)
    if (!by.some((grouping) => grouping.field === path.field)) throw malformed(`Field must be grouped or aggregated: ${text}`)
    const alias = 'alias' in field ? field.alias : undefined
    return { name: alias ?? path.field.name, raw: text, value: ([row]) => (row ? valueAt(org, path, row) : null) }
  })
}

function aggregateOf(org: Org, object: ObjectType, { functionName, parameters }: FieldFunctionExpression): (rows: readonly Row[]) => Value {
  const [parameter] = parameters
  if (parameters.length === 0) throw malformed('COUNT() cannot be selected beside other fields')
  if (typeof parameter !== 'string' || parameters.length > 1) throw malformed('an aggregate takes one field')
  const path = pathOf(object, parameter)
  const values = (rows: readonly Row[]): Value[] => rows.map((row) => valueAt(org, path, row)).filter((value) => value !== null)
  const numbers = (rows: readonly Row[]): number[] => values(rows).map(Number)
  const extreme = (rows: readonly Row[], last: boolean): Value =>
    ordered(values(rows), [{ value: (one) => one, descending: last, nullsLast: true }])[0] ?? null
  switch (functionName.toUpperCase()) {
    case 'COUNT':
      return (rows) => values(rows).length
    case 'COUNT_DISTINCT':
      return (rows) => new Set(values(rows)).size
    case 'MIN':
      return (rows) => extreme(rows, false)
    case 'MAX':
      return (rows) => extreme(rows, true)
    case 'SUM':
      return (rows) => numbers(rows).reduce((sum, one) => sum + one, 0)
    case 'AVG':
      return (rows) => (rows.length === 0 ? null : numbers(rows).reduce((sum, one) => sum + one, 0) / numbers(rows).length)
    default:
      throw malformed(`the simulator has no aggregate ${functionName}`)
  }
}

export function list<T>(value: T | readonly T[] | undefined): readonly T[] {
  return value === undefined ? [] : Array.isArray(value) ? (value as readonly T[]) : [value as T]
}
