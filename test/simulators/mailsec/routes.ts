import type { Reply } from '../faults.ts'
import type { SimulatedRequest } from '../server.ts'
import { pageOf, pagingNames } from './paging.ts'
import { type Issue, type Message, messageDetail } from './records.ts'
import { badRequest, forbidden, methodNotAllowed, notFound, unsupportedType } from './replies.ts'
import type { Tenant } from './state.ts'
import { accountStatuses, entityTypes, includes, issueStatuses, messageParts, type Role, severities } from './vocabulary.ts'
import { issueChange, markedMessages } from './writes.ts'

export interface Call {
  readonly request: SimulatedRequest
  readonly tenant: Tenant
  readonly role: Role
  /** The decoded path segments below `/api/v1`. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** One resource: its path (`*` is an id), its methods, and for each the role it needs, the query it takes and its answer. */
interface Route {
  readonly path: readonly string[]
  readonly methods: Readonly<Record<string, Operation>>
}

interface Operation {
  readonly role: Role
  /** Query names and, where there are any, the only values. A name given twice is an error unless it is in `repeatable`. */
  readonly query: Readonly<Record<string, readonly string[] | null>>
  readonly repeatable?: readonly string[]
  readonly answer: (call: Call) => Reply
}

const paged = { limit: null, cursor: null }

const routes: readonly Route[] = [
  {
    path: ['issues'],
    methods: {
      GET: {
        role: 'issue_responder',
        query: {
          ...paged,
          status: issueStatuses,
          severity: severities,
          entityType: entityTypes,
          detection: null,
          createdAfter: null,
          createdBefore: null,
        },
        answer: listIssues,
      },
    },
  },
  {
    path: ['issues', '*'],
    methods: {
      GET: { role: 'issue_responder', query: {}, answer: ({ tenant, segments }) => found(tenant.issue(segments[1] ?? ''), 'issue') },
      PATCH: { role: 'issue_responder', query: {}, answer: updateIssue },
    },
  },
  { path: ['issues', '*', 'messages'], methods: { GET: { role: 'issue_responder', query: paged, answer: listMessages } } },
  {
    path: ['messages', '*'],
    methods: { GET: { role: 'issue_responder', query: { include: messageParts }, repeatable: ['include'], answer: readMessage } },
  },
  { path: ['messages', 'mark-suspicious'], methods: { POST: { role: 'analyst', query: {}, answer: markSuspicious } } },
  {
    path: ['accounts'],
    methods: { GET: { role: 'any_admin_role', query: { ...paged, email: null, status: accountStatuses, role: null }, answer: listAccounts } },
  },
]

/** The answer of the resource that the path names; null when none does. */
export function route(call: Call): Reply | null {
  const { request, segments, query, role } = call
  const fitting = routes.filter(({ path }) => path.length === segments.length && path.every((part, at) => part === '*' || part === segments[at]))
  if (fitting.length === 0) return null
  const operation = fitting.map(({ methods }) => methods[request.method]).findLast((found) => found !== undefined)
  if (!operation) return methodNotAllowed(fitting.flatMap(({ methods }) => Object.keys(methods)).join(', '))
  if (!includes(role, operation.role)) return forbidden(role)
  return queryFault(query, operation) ?? operation.answer(call)
}

function queryFault(query: URLSearchParams, operation: Operation): Reply | null {
  if (query.size === 0) return null
  const seen = new Set<string>()
  for (const [name, value] of query) {
    const values = Object.hasOwn(operation.query, name) ? operation.query[name] : undefined
    if (values === undefined) return badRequest(`The query parameter ${name} is unknown.`)
    if (values?.includes(value) === false) return badRequest(`${name} must be one of ${values.join(', ')}.`)
    if (value === '') return badRequest(`${name} is empty.`)
    if (seen.has(name) && !operation.repeatable?.includes(name)) return badRequest(`${name} is given twice.`)
    seen.add(name)
  }
  return null
}

function found(row: { readonly json: string } | null, kind: string): Reply {
  return row ? { status: 200, body: row.json } : notFound(kind)
}

function listIssues({ request, tenant, query }: Call): Reply {
  const after = timeOf(query.get('createdAfter'))
  const before = timeOf(query.get('createdBefore'))
  if (after === null || before === null) return badRequest('createdAfter and createdBefore must be ISO 8601 times.')
  const exact = [...query].filter(([name]) => !pagingNames.includes(name) && !name.startsWith('created'))
  const within = (createdAt: string): boolean => {
    const created = Date.parse(createdAt)
    return created >= (after ?? -Infinity) && created < (before ?? Infinity)
  }
  const timed = after !== undefined || before !== undefined
  return pageOf(
    tenant.issues,
    (issue) => exact.every(([name, value]) => fieldOf(issue, name) === value) && (!timed || within(issue.createdAt)),
    query,
    request.path,
  )
}

function fieldOf(issue: Issue, name: string): unknown {
  return Object.hasOwn(issue, name) ? issue[name as keyof Issue] : undefined
}

/** undefined when absent, null when it is no time. */
function timeOf(text: string | null): number | undefined | null {
  if (text === null) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? null : time
}

function listMessages({ request, tenant, segments, query }: Call): Reply {
  const id = segments[1] ?? ''
  if (!tenant.issue(id)) return notFound('issue')
  return pageOf(tenant.messagesOf(id), () => true, query, request.path)
}

function readMessage({ tenant, segments, query, role }: Call): Reply {
  const message = tenant.message(segments[1] ?? '')
  const parts = query.getAll('include')
  const mayReadAll = includes(role, 'email_content_admin')
  if (message && !mayReadAll && (message.issue === null || parts.includes('content'))) return forbidden(role)
  return message ? { status: 200, body: JSON.stringify(detail(tenant, message, parts)) } : notFound('message')
}

function detail(tenant: Tenant, message: Message, parts: readonly string[]): object {
  return messageDetail(message, parts, message.issue === null ? null : (tenant.issue(message.issue)?.value ?? null))
}

function listAccounts({ request, tenant, query }: Call): Reply {
  const email = query.get('email')?.toLowerCase()
  const status = query.get('status')
  const role = query.get('role')
  return pageOf(
    tenant.accounts,
    (account) =>
      (email === undefined || account.email === email) && (status === null || account.status === status) && (role === null || account.role === role),
    query,
    request.path,
  )
}

function updateIssue({ request, tenant, segments }: Call): Reply {
  if (!isJson(request)) return unsupportedType
  const id = segments[1] ?? ''
  if (!tenant.issue(id)) return notFound('issue')
  const change = issueChange(request.body)
  if (typeof change === 'string') return badRequest(change)
  const changed = tenant.update(id, change)
  return changed ? { status: 200, body: changed.json, written: true } : notFound('issue')
}

function markSuspicious({ request, tenant }: Call): Reply {
  if (!isJson(request)) return unsupportedType
  const ids = markedMessages(request.body)
  if (typeof ids === 'string') return badRequest(ids)
  if (ids.some((id) => !tenant.message(id))) return notFound('message')
  for (const id of ids) tenant.suspicious.add(id)
  return { status: 202, body: JSON.stringify({ status: 'accepted', messageIds: ids }), written: true }
}

function isJson(request: SimulatedRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
}
