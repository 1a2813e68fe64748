import type { CallError, Handler } from '@tocsin/plugin'
import { auditEntry, auditFields, auditQuery, optionalAuditFields } from '../lib/audit.ts'
import { isFieldError, withFewerFields } from '../lib/fewer-fields.ts'
import { NoPeriod, periodOf } from '../lib/period.ts'
import { type Caller, type CrmRecord, OddAnswer, oddAnswer, runQuery } from '../lib/query.ts'
import { Unquotable } from '../lib/soql.ts'
import { createdBy, createdByName, userIds } from '../lib/users.ts'

/** What the platform says to a user who may not look up users. */
const notLookedUp = ['invalid_object', 'invalid_field', 'malformed_query', 'not_found', 'api_permission_error']

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
    // Request one more than wanted, to see whether there are more.
    const ask = async (by: string | null): Promise<readonly CrmRecord[]> => {
      const filter = { period, by, actions, limit: max + 1 }
      const run = (fields: readonly string[]): ReturnType<typeof runQuery> => runQuery({ http, log }, auditQuery(filter, fields), max + 1)
      return (await withFewerFields(auditFields, optionalAuditFields, run)).records
    }
    const records = user === undefined ? await ask(null) : await ofUser({ http, log }, user, ask)
    if (records === null) return fail('user_unknown', '')
    return { entries: records.slice(0, max).map(auditEntry), truncated: records.length > max }
  } catch (error) {
    if (error instanceof NoPeriod || error instanceof Unquotable) fail('input_refused', error.message)
    if (error instanceof OddAnswer) fail(oddAnswer, error.message)
    throw error
  }
}) satisfies Handler<Input>

/**
 * Returns the entries of a user, or null if nobody has this name. If users cannot be looked up, the
 * trail itself is searched by name.
 */
async function ofUser(call: Caller, user: string, ask: (by: string) => Promise<readonly CrmRecord[]>): Promise<readonly CrmRecord[] | null> {
  let lookedUp = true
  const ids = await userIds(call, user).catch((error: Partial<CallError>) => {
    if (!notLookedUp.includes(error.code ?? '')) throw error
    call.log.info('cannot look up users', { code: error.code ?? null })
    lookedUp = false
    return []
  })
  if (ids.length > 0) return ask(createdBy(ids))
  const [byAny, byUsername] = createdByName(user)
  const records = await ask(byAny)
    .catch((error: unknown) => {
      if (isFieldError(error)) return ask(byUsername)
      throw error
    })
    .catch((error: unknown) => {
      if (lookedUp && isFieldError(error)) return []
      throw error
    })
  return lookedUp && records.length === 0 ? null : records
}
