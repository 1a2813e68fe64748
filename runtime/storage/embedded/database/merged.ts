/**
 * Returns a statement for a list with a filter of several values, for which an index has each value and then the order of the list. SQLite reads
 * the index once for each value, and merges what it reads row by row. With `IN`, it would read all rows that pass, and sort them, or follow the
 * order of the list past all rows that do not pass.
 * @param select what is selected from where, with the columns of the order
 * @param values a condition for each value; of these conditions, a row passes one at most
 * @param others the conditions that all rows must pass
 * @param order the order and the limit
 */
export function merged(select: string, values: readonly string[], others: string, order: string): string {
  return `${values.map((value) => `SELECT ${select} WHERE ${value} AND ${others}`).join('\n UNION ALL ')}\n ${order}`
}

/** Returns a condition for each element of a parameter that is a JSON array: the column has its value. */
export function eachOf(column: string, parameter: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${column} = (${parameter} ->> ${index})`)
}
