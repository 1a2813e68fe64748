import type { Reply } from '../../faults.ts'
import { type Check, isListOf, isOneOf, isTextOrNull, isTime, withBody } from '../checks.ts'
import { pageOf, pagingNames } from '../paging.ts'
import { badRequest, notFound } from '../replies.ts'
import { type Call, found, paged, type Route, timeOf } from '../route.ts'
import type { IssueChange } from '../state.ts'
import { classifications, entityTypes, issueStatuses, remediationActions, severities } from '../vocabulary.ts'
import type { Issue } from './records.ts'

export const issueFilters = {
  ...paged,
  status: issueStatuses,
  severity: severities,
  entityType: entityTypes,
  detection: null,
  createdAfter: null,
  createdBefore: null,
}

export const issueRoutes: readonly Route[] = [
  { path: ['issues'], methods: { GET: { role: 'issue_responder', query: issueFilters, answer: (call) => listIssues(call, call.tenant.issues) } } },
  {
    path: ['issues', '*'],
    methods: {
      GET: { role: 'issue_responder', query: {}, answer: ({ tenant, segments }) => found(tenant.issue(segments[1] ?? ''), 'issue') },
      PATCH: { role: 'issue_responder', query: {}, answer: updateIssue },
    },
  },
  { path: ['issues', '*', 'messages'], methods: { GET: { role: 'issue_responder', query: paged, answer: listMessages } } },
]

type Filtered = Pick<Issue, 'createdAt'>

/** Returns the rows that match the query's filters. The beta API uses the same filters for its cases. */
export function listIssues<T extends Filtered>({ request, query }: Call, rows: readonly { readonly value: T; readonly json: string }[]): Reply {
  const after = timeOf(query.get('createdAfter'))
  const before = timeOf(query.get('createdBefore'))
  if (after === null || before === null) return badRequest('createdAfter and createdBefore must be ISO 8601 times.')
  const exact = [...query].filter(([name]) => !pagingNames.includes(name) && !name.startsWith('created'))
  const within = (createdAt: string): boolean => {
    const created = Date.parse(createdAt)
    return created >= (after ?? -Infinity) && created < (before ?? Infinity)
  }
  const timed = after !== undefined || before !== undefined
  const fits = (row: T): boolean => exact.every(([name, value]) => fieldOf(row, name) === value) && (!timed || within(row.createdAt))
  return pageOf(rows, fits, query, request.path)
}

function fieldOf(row: object, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name as keyof typeof row] : undefined
}

function listMessages({ request, tenant, segments, query }: Call): Reply {
  const id = segments[1] ?? ''
  if (!tenant.issue(id)) return notFound('issue')
  return pageOf(tenant.messagesOf(id), () => true, query, request.path)
}

const changes: Readonly<Record<string, Check>> = {
  status: isOneOf(issueStatuses),
  classification: isOneOf(classifications),
  assignee: isTextOrNull,
  snoozedUntil: isTime,
  remediationActions: isListOf(isOneOf(remediationActions)),
}

function updateIssue(call: Call): Reply {
  const id = call.segments[1] ?? ''
  if (!call.tenant.issue(id)) return notFound('issue')
  return withBody<IssueChange>(call, changes, [], (change) => {
    const changed = call.tenant.update(id, change)
    return changed ? { status: 200, body: changed.json, written: true } : notFound('issue')
  })
}
