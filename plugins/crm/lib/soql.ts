/**
 * Pieces of SOQL. Every value from an alert or a person must go through these functions to get into
 * a query.
 */

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
}

/** A text that cannot be written as a SOQL literal. */
export class Unquotable extends Error {}

/**
 * Returns a text as a literal, in quotes. `%` and `_` are not escaped, because they are special only
 * in LIKE.
 * @throws Unquotable for control characters and line separators that SOQL cannot escape, and for half
 * a surrogate pair
 */
export function quote(text: string): string {
  let quoted = ''
  for (const character of text) {
    if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) && !Object.hasOwn(escapes, character)) {
      throw new Unquotable(`${JSON.stringify(text)} has a character that cannot be asked for`)
    }
    quoted += Object.hasOwn(escapes, character) ? escapes[character] : character
  }
  return `'${quoted}'`
}

/** Returns `= 'a'` or `IN ('a','b')`. */
export function oneOf(values: readonly string[]): string {
  const [only] = values
  if (only === undefined) throw new Unquotable('an empty list fits nothing')
  return values.length === 1 ? `= ${quote(only)}` : `IN (${values.map(quote).join(',')})`
}

/** Returns a time as a literal, without quotes. */
export function dateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

export interface Select {
  readonly fields: readonly string[]
  readonly from: string
  /** Conditions, joined by AND. */
  readonly where?: readonly string[]
  readonly groupBy?: string
  readonly orderBy?: string
  readonly limit?: number
}

/**
 * Builds a statement from pieces that are already safe: our own names, and literals made by the
 * functions above.
 */
export function select({ fields, from, where = [], groupBy, orderBy, limit }: Select): string {
  return [
    `SELECT ${fields.join(', ')} FROM ${from}`,
    where.length > 0 ? `WHERE ${where.join(' AND ')}` : '',
    groupBy === undefined ? '' : `GROUP BY ${groupBy}`,
    orderBy === undefined ? '' : `ORDER BY ${orderBy}`,
    limit === undefined ? '' : `LIMIT ${limit}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** Writes `Z` for the `+0000` at the end of the platform's times. Other texts stay as they are. Null if the value is not a text. */
export function isoTime(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/\+0000$/, 'Z') : null
}
