import type { Reply } from '../../faults.ts'
import { type Check, isListOf, isObjectOf, isOneOf, isText, withBody } from '../checks.ts'
import { issueFilters, listIssues } from '../issues/issues.ts'
import { messageSummary } from '../issues/records.ts'
import { pageOf, row } from '../paging.ts'
import { badRequest, notFound } from '../replies.ts'
import { type Call, found, paged, type Route } from '../route.ts'
import { caseRemediations, caseStatuses } from '../vocabulary.ts'
import type { Decision } from './cases.ts'

interface Decisions extends Decision {
  readonly caseIds?: readonly string[]
  readonly cases?: readonly ({ readonly id: string } & Decision)[]
}

/** The most cases in one request. */
const most = 100

export const caseRoutes: readonly Route[] = [
  // Specification 4.4: the time filter may use the beta API and may require Analyst.
  { path: ['issues'], methods: { GET: { role: 'analyst', query: issueFilters, answer: (call) => listIssues(call, call.tenant.cases.rows) } } },
  {
    path: ['cases'],
    methods: {
      GET: { role: 'issue_responder', query: { ...paged, id: null, messages: null }, repeatable: ['id'], answer: listCases },
      PATCH: { role: 'issue_responder', query: {}, answer: decideCases },
    },
  },
  {
    path: ['cases', '*'],
    methods: {
      GET: { role: 'issue_responder', query: {}, answer: ({ tenant, segments }) => found(tenant.cases.get(segments[1] ?? ''), 'case') },
      PATCH: { role: 'issue_responder', query: {}, answer: decideCase },
    },
  },
]

function listCases({ request, tenant, query }: Call): Reply {
  const ids = query.getAll('id')
  const messages = Number(query.get('messages') ?? '3')
  if (!Number.isInteger(messages) || messages < 0 || messages > 25) return badRequest('messages must be an integer from 0 to 25.')
  if (ids.length > most) return badRequest(`id is given more than ${most} times.`)
  const rows = tenant.cases.rows.filter(({ value }) => ids.length === 0 || ids.includes(value.id))
  const detailed = rows.map(({ value }) =>
    row({
      ...value,
      messages: tenant
        .messagesOf(value.issueId)
        .slice(0, messages)
        .map((message) => messageSummary(message.value)),
    }),
  )
  return pageOf(detailed, () => true, query, request.path)
}

const decision: Readonly<Record<string, Check>> = { status: isOneOf(caseStatuses), remediation: isOneOf(caseRemediations) }

function decideCase(call: Call): Reply {
  return withBody<Decision>(call, decision, [], (change) => {
    const changed = call.tenant.cases.decide(call.segments[1] ?? '', change)
    return changed ? { status: 200, body: JSON.stringify(changed), written: true } : notFound('case')
  })
}

/**
 * Decides several cases in one request, all or none. With `caseIds` they share a decision. With
 * `cases` each has its own.
 */
function decideCases(call: Call): Reply {
  const fields = {
    ...decision,
    caseIds: isListOf(isText, { most }),
    cases: isListOf(isObjectOf({ id: isText, ...decision }, ['id']), { most }),
  }
  return withBody<Decisions>(call, fields, [], ({ caseIds = [], cases = [], ...shared }) => {
    if ((caseIds.length === 0) === (cases.length === 0)) return badRequest('Give caseIds or cases.')
    if (caseIds.length > 0 === (Object.keys(shared).length === 0)) return badRequest('A shared decision belongs to caseIds.')
    const wanted = cases.length > 0 ? cases : caseIds.map((id) => ({ id, ...shared }))
    if (wanted.some(({ id }) => !call.tenant.cases.get(id))) return notFound('case')
    const items = wanted.map(({ id, ...change }) => call.tenant.cases.decide(id, change))
    return { status: 200, body: JSON.stringify({ items }), written: true }
  })
}
