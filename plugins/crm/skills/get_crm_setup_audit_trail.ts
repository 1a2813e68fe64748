import type { Handler } from '@tocsin/plugin'
import { auditEntry, auditQuery } from '../lib/audit.ts'
import { NoPeriod, periodOf } from '../lib/period.ts'
import { runQuery } from '../lib/query.ts'
import { Unquotable } from '../lib/soql.ts'
import { userIds } from '../lib/users.ts'

interface Input {
  readonly created_after?: string
  readonly created_before?: string
  readonly last?: string
  readonly user?: string
  readonly actions?: readonly string[]
  readonly max_entries: number
}

export default (async ({ input, http, log, call, fail }) => {
  const { created_after, created_before, last, user, actions = [], max_entries: max } = input
  try {
    const asked = {
      ...(created_after !== undefined && { after: created_after }),
      ...(created_before !== undefined && { before: created_before }),
      ...(last !== undefined && { last }),
    }
    const period = periodOf(asked, call.now)
    const users = user === undefined ? null : await userIds({ http, log }, user)
    if (users?.length === 0) fail('user_unknown', '')
    // One more than is wanted tells whether there are more.
    const { records } = await runQuery({ http, log }, auditQuery({ period, users, actions, limit: max + 1 }), max + 1)
    return { entries: records.slice(0, max).map(auditEntry), truncated: records.length > max }
  } catch (error) {
    if (error instanceof NoPeriod || error instanceof Unquotable) fail('input_refused', error.message)
    throw error
  }
}) satisfies Handler<Input>
