import type { Handler, Json } from '@tocsin/plugin'
import { type Decision, judgeOf } from '../lib/cases.ts'
import { itemResults } from '../lib/items.ts'
import { fieldsOf } from '../lib/verdict.ts'

interface Input {
  readonly case_ids: readonly string[]
  /** One of `case_ids`. */
  readonly status?: string
  readonly remediation?: string
  readonly cases: readonly Decision[]
}

/**
 * Sends one decision for all cases, or one for each. Fields without a decision are left out of the
 * request, because an empty list could be read as a decision. Reports the outcome of each case as
 * far as the platform says.
 */
export default (async ({ input, http, fail }) => {
  const { case_ids, status = '', remediation, cases } = input
  const twice = cases.find(({ id }, at) => cases.slice(0, at).some((other) => other.id.toLowerCase() === id.toLowerCase()))
  if (twice) fail('case_named_twice', `It is ${twice.id}.`)
  const shared = { status, ...(remediation !== undefined && { remediation }) }
  const asked = case_ids.length > 0 ? { caseIds: case_ids, ...shared } : { cases }
  const decisions = case_ids.length > 0 ? case_ids.map((id) => ({ id, ...shared })) : cases
  const { body } = await http.patch<unknown>('/api/beta/cases', asked, { base: 'origin' })
  const ids = decisions.map(({ id }) => id)
  const results = itemResults(ids, body, judgeOf(decisions))
  return { cases: casesIn(body), ...(results && { results }) }
}) satisfies Handler<Input>

function casesIn(body: unknown): Json {
  if (Array.isArray(body)) return body as Json
  const { items } = fieldsOf(body)
  return Array.isArray(items) ? (items as Json) : null
}
