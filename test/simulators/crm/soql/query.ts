import { type FieldType, parseQuery, type Query, type QueryBase, type Subquery } from '@jetstreamapp/soql-parser-js'
import type { Org } from '../org/org.ts'
import type { Row, Value } from '../org/row.ts'
import { type ObjectType, objectNamed } from '../org/schema.ts'
import { invalidField, malformed, Refused } from '../replies.ts'
import type { Leaf } from './conditions.ts'
import { grouped, isAggregate, isCount, list } from './groups.ts'
import { type Criterion, ordered } from './order.ts'
import { pathOf, valueAt } from './paths.ts'
import { filterOf } from './where.ts'

/** Where a query runs, and how its records are shown. */
export interface Setting {
  readonly org: Org
  /** True for queryAll, which includes deleted rows. */
  readonly deleted: boolean
  /** The fields, `Object.Field`, that GROUP BY does not accept although their type would allow it. */
  readonly ungroupable: ReadonlySet<string>
  /** Returns a field as answers show it. */
  readonly show: (object: ObjectType, row: Row, field: string, value: Value) => Value
  readonly address: (object: ObjectType, id: string) => string
  /** Returns a record's children as a result of their own, perhaps with more pages. */
  readonly children: (records: readonly object[]) => object | null
}

/** The result of a query. `count` for a bare COUNT(), which has no records. */
export type Found = { readonly records: readonly object[] } | { readonly count: number }

/** Evaluates a query. Raises MALFORMED_QUERY, INVALID_FIELD and other errors as the platform does. */
export function evaluate(setting: Setting, soql: string): Found {
  const query = parsed(soql)
  const object = objectOf(query.sObject)
  const rows = selected(setting, object, query, () => true)
  if (isCount(query)) return { count: sliced(query, rows).length }
  if (query.groupBy || query.fields?.some(isAggregate)) {
    return { records: sliced(query, grouped(setting.org, object, query, rows, setting.ungroupable)) }
  }
  return { records: shown(setting, object, query, rows) }
}

function parsed(soql: string): Query {
  let query: Query
  try {
    query = parseQuery(soql)
  } catch (error) {
    throw malformed(`unexpected token: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
  }
  if (query.withDataCategory) throw malformed('the simulator has no data categories')
  if (query.for === 'UPDATE' && query.orderBy) throw malformed('ORDER BY not allowed with FOR UPDATE')
  return query
}

function objectOf(name: string | undefined): ObjectType {
  const object = objectNamed(name ?? '')
  if (!object)
    throw new Refused(
      400,
      'INVALID_TYPE',
      `sObject type '${name ?? ''}' is not supported. If you are attempting to use a custom object, be sure to append the '__c' after the entity name.`,
    )
  return object
}

function selected(setting: Setting, object: ObjectType, query: QueryBase, also: (row: Row) => boolean): readonly Row[] {
  const fits = filterOf(setting.org, object, query.where, (leaf) => semiJoin(setting, leaf))
  const rows = setting.org.rows(object).filter((row) => (setting.deleted || row['IsDeleted'] !== true) && also(row) && fits(row))
  if (query.groupBy) return rows
  const criteria = list(query.orderBy).map((clause): Criterion<Row> => {
    if (!('field' in clause)) throw malformed('the simulator orders by fields only')
    const path = pathOf(object, clause.field)
    if (!path.field.sortable) throw malformed(`field '${path.field.name}' can not be sorted in a query call`)
    return { value: (row) => valueAt(setting.org, path, row), descending: clause.order === 'DESC', nullsLast: clause.nulls === 'LAST' }
  })
  return ordered(rows, criteria)
}

function semiJoin(setting: Setting, leaf: Leaf): readonly Value[] {
  if (!('valueQuery' in leaf)) return []
  const { valueQuery } = leaf
  const object = objectOf(valueQuery.sObject)
  const [only, ...more] = valueQuery.fields ?? []
  if (only?.type !== 'Field' || more.length > 0) throw malformed('a subquery after IN selects one field')
  const path = pathOf(object, only.field)
  return selected(setting, object, valueQuery, () => true).map((row) => valueAt(setting.org, path, row))
}

const maxOffset = 2000

function sliced<T>({ limit, offset = 0 }: QueryBase, rows: readonly T[]): readonly T[] {
  if (offset > maxOffset) throw new Refused(400, 'NUMBER_OUTSIDE_VALID_RANGE', `Maximum SOQL offset allowed is ${maxOffset}`)
  return rows.slice(offset, limit === undefined ? undefined : offset + limit)
}

function shown(setting: Setting, object: ObjectType, query: QueryBase, rows: readonly Row[]): readonly object[] {
  const show = columnsOf(setting, object, query)
  return sliced(query, rows).map(show)
}

/** Returns a function that makes a record from a row. */
function columnsOf(setting: Setting, object: ObjectType, query: QueryBase): (row: Row) => object {
  const makers = (query.fields ?? []).flatMap((field) => makersOf(setting, object, field, query))
  const names = makers.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw malformed(`duplicate field selected: ${twice}`)
  return (row) => {
    const record: Record<string, unknown> = { attributes: attributesOf(setting, object, row) }
    for (const { fill } of makers) fill(record, row)
    return record
  }
}

interface Maker {
  readonly name: string
  readonly fill: (record: Record<string, unknown>, row: Row) => void
}

function makersOf(setting: Setting, object: ObjectType, field: FieldType, query: QueryBase): readonly Maker[] {
  if (field.type === 'FieldSubquery') return [childrenMaker(setting, object, field.subquery)]
  if (field.type === 'FieldFunctionExpression') {
    if (field.functionName.toUpperCase() !== 'FIELDS') throw malformed(`the simulator has no function ${field.functionName}`)
    const which = String(field.parameters[0]).toUpperCase()
    if (which !== 'STANDARD' && (query.limit === undefined || query.limit > 200))
      throw malformed('The SOQL FIELDS function must have a LIMIT of at most 200')
    const named = object.fields.filter(({ name }) => which === 'ALL' || (which === 'CUSTOM') === name.endsWith('__c'))
    return named.map(({ name }) => plainMaker(setting, object, name))
  }
  if (field.type === 'FieldTypeof') throw malformed('the simulator has no TYPEOF')
  if ('alias' in field && field.alias !== undefined) throw malformed('only aggregate expressions use field aliasing')
  return [field.type === 'FieldRelationship' ? parentMaker(setting, object, field.rawValue ?? '') : plainMaker(setting, object, field.field)]
}

function plainMaker(setting: Setting, object: ObjectType, text: string): Maker {
  const { field } = pathOf(object, text)
  return {
    name: field.name,
    fill: (record, row) => {
      record[field.name] = setting.show(object, row, field.name, row[field.name] ?? null)
    },
  }
}

function parentMaker(setting: Setting, object: ObjectType, text: string): Maker {
  const path = pathOf(object, text)
  if (path.parents.length === 0) return plainMaker(setting, object, path.field.name)
  const names = path.parents.map(({ relationship = '' }) => relationship)
  return {
    name: [...names, path.field.name].join('.'),
    fill: (record, row) => {
      let into = record
      let at: Row | null = row
      for (const [index, way] of path.parents.entries()) {
        const parent: Row | null = setting.org.follow(way.refersTo ?? '', at?.[way.name] ?? null)
        const name = names[index] ?? ''
        const kind = objectNamed(way.refersTo ?? '')
        if (!parent || !kind) {
          into[name] = null
          return
        }
        const standing = into[name] as Record<string, unknown> | undefined
        into = standing ?? { attributes: attributesOf(setting, kind, parent) }
        if (!standing) (index === 0 ? record : recordAt(record, names.slice(0, index)))[name] = into
        at = parent
      }
      into[path.field.name] = at?.[path.field.name] ?? null
    },
  }
}

function recordAt(record: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return names.reduce((at, name) => at[name] as Record<string, unknown>, record)
}

function childrenMaker(setting: Setting, object: ObjectType, subquery: Subquery): Maker {
  const relation = object.children.find(({ name }) => name.toLowerCase() === subquery.relationshipName.toLowerCase())
  if (!relation) throw invalidField(`Didn't understand relationship '${subquery.relationshipName}' in FROM part of query call.`)
  const child = objectOf(relation.object)
  // The subquery runs for each record. This checks it even if there is no record.
  columnsOf(setting, child, subquery)
  return {
    name: relation.name,
    fill: (record, row) => {
      const rows = selected(setting, child, subquery, (one) => one[relation.field] === row['Id'])
      record[relation.name] = setting.children(shown(setting, child, subquery, rows))
    },
  }
}

function attributesOf(setting: Setting, object: ObjectType, row: Row): object {
  return { type: object.name, url: setting.address(object, String(row['Id'])) }
}
