import type { Handler, Json } from '@tocsin/plugin'

interface Input {
  readonly case_ids: readonly string[]
  readonly status?: string
  readonly remediation?: string
  readonly cases: readonly { readonly id: string; readonly status: string; readonly remediation?: string }[]
}

interface Answer {
  readonly items?: readonly Json[]
}

/** One decision for all, or one for each: what is not asked for is not in the request, where an empty list could be read as a decision. */
export default (async ({ input, http }) => {
  const { case_ids, status, remediation, cases } = input
  const shared = { caseIds: case_ids, status, ...(remediation !== undefined && { remediation }) }
  const { body } = await http.patch<Answer | readonly Json[] | ''>('/api/beta/cases', case_ids.length > 0 ? shared : { cases }, { base: 'origin' })
  if (body === '') return { cases: null }
  return { cases: 'items' in body ? body.items : Array.isArray(body) ? body : null }
}) satisfies Handler<Input>
