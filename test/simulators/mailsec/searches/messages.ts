import type { Reply } from '../../faults.ts'
import { isBoolean, isListOf, isText, withBody } from '../checks.ts'
import { messageDetail } from '../issues/records.ts'
import { forbidden, notFound } from '../replies.ts'
import type { Call, Route } from '../route.ts'
import { includes, messageParts } from '../vocabulary.ts'

const messageIds = isListOf(isText, { least: 1, most: 100 })

export const messageRoutes: readonly Route[] = [
  {
    path: ['messages', '*'],
    methods: { GET: { role: 'issue_responder', query: { include: messageParts }, repeatable: ['include'], answer: readMessage } },
  },
  { path: ['messages', 'mark-suspicious'], methods: { POST: { role: 'analyst', query: {}, answer: markSuspicious } } },
  { path: ['messages', 'mark-sensitive'], methods: { POST: { role: 'analyst', query: {}, answer: markSensitive } } },
]

function readMessage({ tenant, segments, query, role }: Call): Reply {
  const message = tenant.message(segments[1] ?? '')
  const parts = query.getAll('include')
  const mayReadAll = includes(role, 'email_content_admin')
  if (message && !mayReadAll && (message.issue === null || parts.includes('content'))) return forbidden(role)
  if (!message) return notFound('message')
  const issue = message.issue === null ? null : (tenant.issue(message.issue)?.value ?? null)
  return { status: 200, body: JSON.stringify(messageDetail(message, parts, issue)) }
}

function markSuspicious(call: Call): Reply {
  return withBody<{ messageIds: readonly string[] }>(call, { messageIds, reason: isText }, ['messageIds'], (body) => {
    if (body.messageIds.some((id) => !call.tenant.message(id))) return notFound('message')
    for (const id of body.messageIds) call.tenant.suspicious.add(id)
    return accepted(body.messageIds)
  })
}

function markSensitive(call: Call): Reply {
  const fields = { messageIds, sensitive: isBoolean, reason: isText }
  return withBody<{ messageIds: readonly string[]; sensitive: boolean }>(call, fields, ['messageIds', 'sensitive'], (body) => {
    if (!call.tenant.markSensitive(body.messageIds, body.sensitive)) return notFound('message')
    return accepted(body.messageIds)
  })
}

function accepted(ids: readonly string[]): Reply {
  return { status: 202, body: JSON.stringify({ status: 'accepted', messageIds: ids }), written: true }
}
