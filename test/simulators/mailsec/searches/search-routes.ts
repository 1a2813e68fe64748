import type { Reply } from '../../faults.ts'
import { isText, isTime, withBody } from '../checks.ts'
import { type Message, messageSummary } from '../issues/records.ts'
import { pageOf, row } from '../paging.ts'
import { badRequest, forbidden, gone, notFound } from '../replies.ts'
import { type Call, paged, type Route, timeOf } from '../route.ts'
import { includes } from '../vocabulary.ts'
import { type Term, termsOf } from './search-language.ts'
import type { Job } from './searches.ts'

export const searchRoutes: readonly Route[] = [
  { path: ['messages', 'searches'], methods: { POST: { role: 'analyst', query: {}, answer: startSearch } } },
  { path: ['messages', 'searches', '*'], methods: { GET: { role: 'analyst', query: paged, answer: lookAtSearch } } },
]

function startSearch(call: Call): Reply {
  const fields = { query: isText, receivedAfter: isTime, receivedBefore: isTime }
  return withBody<{ query: string; receivedAfter?: string; receivedBefore?: string }>(call, fields, ['query'], (body) => {
    const terms = termsOf(body.query)
    if (typeof terms === 'string') return badRequest(terms)
    // The body of a message is content. Whether it contains a word is content too.
    if (terms.some(({ field }) => field === 'body') && !includes(call.role, 'email_content_admin')) return forbidden(call.role)
    const after = timeOf(body.receivedAfter ?? null) ?? Number.NEGATIVE_INFINITY
    const before = timeOf(body.receivedBefore ?? null) ?? Number.POSITIVE_INFINITY
    const id = call.tenant.searches.start(terms, after, before)
    return { status: 202, body: JSON.stringify({ id, status: 'PENDING' }) }
  })
}

function lookAtSearch(call: Call): Reply {
  const { tenant, segments, query, role, request } = call
  const found = tenant.searches.look(segments[2] ?? '', query.has('cursor'))
  if (!found) return notFound('search')
  const { job, status } = found
  if (status === 'EXPIRED') return gone('search_expired', 'The results of this search are no longer kept.')
  const fits = status === 'DONE' ? (message: Message): boolean => matches(message, job) : (): boolean => false
  const content = includes(role, 'email_content_admin')
  const rows = tenant.messages.map((message) => ({ ...row(message), json: JSON.stringify(resultOf(message, content)) }))
  const page = pageOf(rows, fits, query, request.path)
  return page.status === 200 ? { ...page, body: `{"id":${JSON.stringify(segments[2])},"status":"${status}",${page.body.slice(1)}` } : page
}

/** Returns the metadata, and the content for a content admin. */
function resultOf(message: Message, content: boolean): object {
  return { ...messageSummary(message), ...(content && { content: { text: message.text } }) }
}

function matches(message: Message, { terms, after, before }: Job): boolean {
  const received = Date.parse(message.receivedAt)
  return (
    received >= after &&
    received < before &&
    terms.every(({ field, value }) => valuesOf(message, field).some((text) => text.toLowerCase().includes(value)))
  )
}

function valuesOf(message: Message, field: Term['field']): readonly string[] {
  switch (field) {
    case 'subject':
    case 'sender':
      return [message[field]]
    case 'recipient':
      return message.recipients
    case 'link':
      return message.links.map(({ url }) => url)
    case 'body':
      return [message.text]
  }
}
