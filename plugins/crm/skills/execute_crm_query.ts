import type { Handler } from '@tocsin/plugin'
import { type Budget, withChildren } from '../lib/children.ts'
import { type CrmRecord, encodedLength, longestQuery, OddAnswer, oddAnswer, runQuery } from '../lib/query.ts'
import { assertSelect, NoSelect } from '../lib/select-only.ts'

interface Input {
  readonly query: string
  readonly max_rows: number
  readonly include_deleted: boolean
}

/** How many of a call's requests may be used for the pages of children. */
const childRequests = 200

export default (async ({ input, http, log, fail }) => {
  try {
    assertSelect(input.query)
  } catch (error) {
    if (error instanceof NoSelect) fail('query_refused', error.message)
    throw error
  }
  if (encodedLength(input.query) > longestQuery)
    fail('query_refused', `The statement is longer than ${longestQuery} bytes, the longest that an address may have.`)

  try {
    const { records, total, truncated } = await runQuery({ http, log }, input.query, input.max_rows, { deleted: input.include_deleted })
    const budget: Budget = { requests: childRequests, records: input.max_rows, exhausted: false }
    const whole: CrmRecord[] = []
    for (const record of records) whole.push(await withChildren({ http, log }, record, budget))
    return { records: whole, total, truncated, children_truncated: budget.exhausted }
  } catch (error) {
    if (error instanceof OddAnswer) fail(oddAnswer, error.message)
    throw error
  }
}) satisfies Handler<Input>
