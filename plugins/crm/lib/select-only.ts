import { parseQuery, type Query, type QueryBase, type WhereClause } from '@jetstreamapp/soql-parser-js'

/** Why a statement is not sent: it is no SELECT, or it is one that changes something. */
export class NoSelect extends Error {}

/** What makes a SELECT lock records, mark them as viewed, or count article views and searches. */
const changing = /\b(for\s+(update|view|reference)|update\s+(tracking|viewstat))\b/i

/** What people write into a statement that no single SOQL statement has, and what to say of it. */
const notInOne: readonly (readonly [RegExp, string])[] = [
  [/;/, 'One statement may be run, and without a semicolon.'],
  [/--|\/\*|\/\//, 'Comments may not be in the statement.'],
]

function withoutLiterals(soql: string): string {
  return soql.replaceAll(/'(?:[^'\\]|\\.)*'/gs, "''")
}

/**
 * Refuses everything but one SELECT that changes nothing: other statements, several, comments, and the clauses FOR UPDATE, FOR VIEW, FOR REFERENCE, UPDATE TRACKING and UPDATE
 * VIEWSTAT, in a subquery too. What the parser does not know is refused as well.
 * @throws NoSelect
 */
export function assertSelect(soql: string): void {
  let query: Query
  try {
    query = parseQuery(soql)
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    const word = /^\s*([A-Za-z]+)/.exec(soql)?.[1]?.toUpperCase()
    if (word !== 'SELECT') throw new NoSelect(`Only SELECT may be run, not ${word ?? 'this'}.`)
    const known = notInOne.find(([sign]) => sign.test(withoutLiterals(soql)))
    throw new NoSelect(known?.[1] ?? `The statement is not understood: ${why}`)
  }
  for (const each of queriesIn(query)) {
    if (each.for !== undefined) throw new NoSelect(`FOR ${each.for} changes records that the statement selects; leave it out.`)
    if (each.update !== undefined) throw new NoSelect(`UPDATE ${each.update} changes what the platform counts; leave it out.`)
  }
  // The parser has read it otherwise, so it is none of the above for it; what the platform reads counts.
  const clause = changing.exec(withoutLiterals(soql))
  if (clause) throw new NoSelect(`${clause[0].toUpperCase()} may not be in the statement.`)
}

function* queriesIn(query: QueryBase): Iterable<QueryBase> {
  yield query
  for (const field of query.fields ?? []) if (field.type === 'FieldSubquery') yield* queriesIn(field.subquery)
  for (let clause: WhereClause | undefined = query.where; clause; clause = 'right' in clause ? clause.right : undefined) {
    if (clause.left && 'valueQuery' in clause.left) yield* queriesIn(clause.left.valueQuery)
  }
}
