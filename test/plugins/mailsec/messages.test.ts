import { expect, test } from 'vitest'
import { compileValue } from '../../../runtime/expressions/index.ts'
import type { HandlerHost } from '../../../runtime/plugin/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, inverse, faults, hostOf, plugin, simulator, payroll } = mailsecPlugin('analyst', {
  searches: { pending: 1, running: 1, done: 3 },
  issues: 120,
})

test('three skills make a search: start it, look until it is DONE, read a message that it found', async () => {
  const { search_id, status } = await output('search_mailsec_messages', { query: 'subject:"confirm your payroll details"' })
  expect(status).toBe('PENDING')
  const looks = []
  for (let look = 0; look < 3; look += 1) looks.push(await output('get_mailsec_message_search_results', { search_id, max_items: 2 }))
  expect(looks.map((look) => [look.status, look.done, look.messages.length, look.total, look.truncated])).toEqual([
    ['PENDING', false, 0, 0, false],
    ['RUNNING', false, 0, 0, false],
    ['DONE', true, 2, 3, true],
  ])
  const { message } = await output('get_mailsec_message', { message_id: looks[2].messages[0].id })
  expect(message).toMatchObject({ subject: 'Action required: confirm your payroll details', sensitive: false })
})

test('an analyst gets metadata, and an Email Content Admin also content', async () => {
  const { search_id } = await output('search_mailsec_messages', { query: 'subject:payroll AND recipient:ada.lovelace' })
  for (let look = 0; look < 2; look += 1) await output('get_mailsec_message_search_results', { search_id })
  expect((await output('get_mailsec_message_search_results', { search_id })).messages).toEqual([
    expect.not.objectContaining({ content: expect.anything() }),
  ])
  simulator().setRole('email_content_admin')
  expect((await output('get_mailsec_message_search_results', { search_id })).messages).toMatchObject([{ content: { text: expect.any(String) } }])
})

test('searching in the content of messages needs Email Content Admin', async () => {
  expect(await call('search_mailsec_messages', { query: 'body:password' })).toMatchObject({
    effect: 'refused',
    failure: { code: 'role_insufficient' },
  })
})

test('a search can be limited to a time range', async () => {
  const input = { query: 'subject:payroll', received_after: '2026-09-01T00:10:00Z', received_before: '2026-09-01T00:20:00Z' }
  const { search_id } = await output('search_mailsec_messages', input)
  for (let look = 0; look < 2; look += 1) await output('get_mailsec_message_search_results', { search_id })
  expect((await output('get_mailsec_message_search_results', { search_id })).total).toBe(1)
})

test("the manifest's quoting makes an alert's text one value of a query", async () => {
  const query = compileValue('subject:{{ subject | mailsec_quote }}', plugin().manifest.document.quoting ?? {})
  const hostile = query.render({ subject: 'x" AND sender:"\\' })
  expect(hostile).toBe('subject:"x\\" AND sender:\\"\\\\"')
  const { search_id } = await output('search_mailsec_messages', { query: hostile ?? '' })
  for (let look = 0; look < 2; look += 1) await output('get_mailsec_message_search_results', { search_id })
  expect((await output('get_mailsec_message_search_results', { search_id })).total).toBe(0)
})

test('an invalid query, expired results, a failed search and an unknown one are told apart', async () => {
  expect(await call('search_mailsec_messages', { query: 'subject:' })).toMatchObject({ failure: { code: 'request_rejected' } })
  const { search_id } = await output('search_mailsec_messages', { query: 'subject:payroll' })
  for (let look = 0; look < 5; look += 1) await output('get_mailsec_message_search_results', { search_id })
  expect(await call('get_mailsec_message_search_results', { search_id })).toMatchObject({
    failure: { code: 'search_expired', vendor: { status: 410 } },
  })
  simulator().failNextSearch()
  const failing = await output('search_mailsec_messages', { query: 'subject:payroll' })
  for (let look = 0; look < 2; look += 1) await output('get_mailsec_message_search_results', { search_id: failing.search_id })
  expect(await call('get_mailsec_message_search_results', { search_id: failing.search_id })).toMatchObject({ failure: { code: 'search_failed' } })
  expect(await call('get_mailsec_message_search_results', { search_id: 'srch.1.none' })).toMatchObject({ failure: { code: 'not_found' } })
})

test('a search with `wait` waits until it is done, and looks less and less often', async () => {
  const paused: number[] = []
  const waiting: HandlerHost = hostOf('')
  const acts = { ...waiting.acts, sleep: async (_act: unknown, delay: number): Promise<boolean> => paused.push(delay) > 0 }
  simulator().setSearchPace({ pending: 2, running: 4, done: 20 })
  const input = { query: 'subject:payroll', received_after: '2026-09-01T00:00:00Z', wait: true, max_items: 2 }
  const result = await call('search_mailsec_messages', input, { ...waiting, acts })
  simulator().setSearchPace({ pending: 1, running: 1, done: 3 })
  expect(result).toMatchObject({ ok: true, output: { status: 'DONE', done: true, total: 3, truncated: true, looks: 7, messages: [{}, {}] } })
  expect(paused).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000])
})

test('a search with `wait` reads all pages of its results', async () => {
  simulator().setSearchPace({ pending: 0, running: 0, done: 20 })
  const all = await output('search_mailsec_messages', { wait: true, query: 'subject:Offer' })
  simulator().setSearchPace({ pending: 1, running: 1, done: 3 })
  expect(all.messages.length).toBe(all.total)
  expect(all.messages.length).toBeGreaterThan(100)
  expect([new Set(all.messages.map(({ id }: { id: string }) => id)).size, all.truncated, all.looks]).toEqual([all.total, false, 1])
})

test('a search with `wait` reports that it was not done in time, failed or was refused', async () => {
  simulator().setSearchPace({ pending: 1_000, running: 0, done: 1 })
  const late = await call('search_mailsec_messages', { wait: true, query: 'subject:payroll', wait_seconds: 30 })
  simulator().setSearchPace({ pending: 1, running: 1, done: 3 })
  expect(late).toMatchObject({
    failure: { code: 'search_not_done', message: expect.stringMatching(/checked the search srch\.1\..* 5 times in 30 s/) },
  })
  simulator().failNextSearch()
  expect(await call('search_mailsec_messages', { wait: true, query: 'subject:payroll' })).toMatchObject({ failure: { code: 'search_failed' } })
  expect(await call('search_mailsec_messages', { wait: true, query: 'subject:' })).toMatchObject({ failure: { code: 'request_rejected' } })
  simulator().setRole('issue_responder')
  expect(await call('search_mailsec_messages', { wait: true, query: 'subject:a' })).toMatchObject({ failure: { code: 'role_insufficient' } })
})

test('messages are marked sensitive, and the inverse marks them insensitive', async () => {
  const { messages } = await output('list_mailsec_issue_messages', { issue_id: payroll() })
  const input = { message_ids: messages.slice(0, 2).map(({ id }: { id: string }) => id), sensitive: true, reason: 'Holds payroll details' }
  expect(await output('mark_mailsec_messages_sensitive', input)).toMatchObject({ status: 'accepted', message_ids: input.message_ids, all_done: true })
  expect(
    (await output('list_mailsec_issue_messages', { issue_id: payroll() })).messages.map(({ sensitive }: { sensitive: boolean }) => sensitive),
  ).toEqual([true, true, false])
  await output('mark_mailsec_messages_sensitive', inverse('mark_mailsec_messages_sensitive', input))
  expect(simulator().message(input.message_ids[0])?.sensitive).toBe(false)
})

test('at most a hundred messages are marked at once', () => {
  const message_ids = Array.from({ length: 101 }, (_, number) => `msg.1.${number}`)
  expect(faults('mark_mailsec_messages_sensitive', { message_ids, sensitive: true })).toEqual([expect.stringContaining('100')])
  expect(faults('mark_mailsec_messages_suspicious', { message_ids })).toHaveLength(1)
})
