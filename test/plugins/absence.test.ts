import { describe, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { type Answered, answering, html } from './answering.ts'

/**
 * Skills that delete a record, and an empty listing of each. The tests say when a deletion counts as
 * done, and which 404 means that a record does not exist.
 */
const systems = [
  { integration: 'mailsec', skill: 'delete_mailsec_trusted_entity', input: { entity_id: 'a' }, list: { items: [] } },
  { integration: 'browser', skill: 'delete_browser_account', input: { account_id: 'a' }, list: { result: [] } },
] as const

const noEndpoint: readonly (readonly [string, Json])[] = [
  ['by a code', { error: { code: 'endpoint_not_found', message: 'There is no such endpoint.' } }],
  ['by another code', { code: 'ROUTE_NOT_FOUND' }],
  ['by a code in camel case', { errors: [{ code: 'UnknownEndpoint', message: 'Not found' }] }],
  ['by the code of its path', { error: 'path_not_found', message: 'Not found' }],
  ['by a problem type', { type: 'https://errors.example/unknown-route', title: 'Not found', status: 404 }],
  ['in words', { message: 'No route matched with those values' }],
  ['in other words', { message: 'Cannot DELETE /api/v1/things/a' }],
  ['in an old server\u2019s words', { message: 'The requested URL /v1/things/a was not found on this server.' }],
  ['by a code that contradicts its message', { error: { code: 'not_found', message: 'Unknown API path.' } }],
]

const noRecord: readonly (readonly [string, Json])[] = [
  ['by a code', { error: { code: 'not_found', message: 'There is no such record.' } }],
  ['by a code of its kind', { code: 'ENTITY_NOT_FOUND' }],
  ['in words', { message: 'There is no such account.' }],
  ['in the words of the status', { message: 'Not Found' }],
  ['as a text', { error: 'Not found' }],
]

describe.each(systems)('$skill', async ({ integration, skill, input, list }) => {
  const call = await answering(integration)
  /** Answers as if the record did not exist, but its listing does. */
  const gone = (body: Json, status = 404) => call(skill, input, ({ path }) => (path.endsWith('/a') ? { status, body } : { body: list }))

  test.each(noEndpoint)('a 404 that means "no such endpoint" does not count as a deletion: %s', async (_, body) => {
    const { result, sent } = await gone(body)
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'endpoint_not_found' } })
    expect(sent).toHaveLength(1)
  })

  test.each(noRecord)('a record that does not exist counts as deleted: %s', async (_, body) => {
    const { result, sent } = await gone(body)
    expect(result).toEqual({ ok: true, output: { ...input, deleted: true }, changed: 'no' })
    expect(sent.map(({ method, path }) => `${method} ${path.replace(/^\/[a-z-]+/, '')}`)).toEqual(['DELETE /a', 'GET /a', 'GET '])
  })

  test('a record that is gone for good (410) counts as deleted', async () => {
    expect((await gone({ message: 'Gone' }, 410)).result).toMatchObject({ ok: true, output: { deleted: true } })
  })

  test.each<[string, Answered]>([
    ['the same words', { status: 404, body: { message: 'Not Found' } }],
    ['a web page', { headers: html, body: '<html></html>' }],
    ['something else', { body: { hello: 'world' } }],
    ['nothing', { status: 204 }],
  ])('a 404 with only a message does not count as a deletion if the listing answers with %s', async (_, listing) => {
    const { result } = await call(skill, input, ({ path }) => (path.endsWith('/a') ? { status: 404, body: { message: 'Not Found' } } : listing))
    expect(result).toMatchObject({ ok: false, effect: 'refused' })
  })

  test('a 404 for a record that can still be read does not count as a deletion', async () => {
    const { result } = await call(skill, input, ({ method }) =>
      method === 'DELETE' ? { status: 404, body: { code: 'not_found' } } : { body: { id: 'a' } },
    )
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: expect.stringMatching(/_still_there$/) } })
  })

  test.each<[string, Answered]>([
    ['without a body', { status: 404, headers: {} }],
    ['in plain text', { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not Found' }],
    ['as a web page', { status: 404, headers: html, body: '<html></html>' }],
    ['with status 405', { status: 405, body: { message: 'Method Not Allowed' } }],
  ])('a refusal %s means that the endpoint does not exist', async (_, refusal) => {
    const { result } = await call(skill, input, ({ path }) => (path.endsWith('/a') ? refusal : { body: list }))
    expect(result).toMatchObject({ ok: false, effect: 'refused', failure: { code: 'endpoint_not_found' } })
  })

  const answeredThen = (answer: Answered, found: Answered, listing: Answered = { body: list }) =>
    call(skill, input, ({ method, path }) => (method === 'DELETE' ? answer : path.endsWith('/a') ? found : listing))

  test.each<[string, Answered]>([
    ['no body', { status: 204 }],
    ['an empty body', { body: '' }],
    ['null', { body: null }],
    ['an empty object', { body: {} }],
    ['a `deleted` flag', { body: { deleted: true, id: 'a' } }],
    ['a `success` flag', { body: { success: true, message: 'Deleted.' } }],
  ])('a success status with %s counts as a deletion', async (_, answer) => {
    const { result, sent } = await answeredThen(answer, { body: { id: 'a' } })
    expect(result).toMatchObject({ ok: true, output: { deleted: true } })
    expect(sent).toHaveLength(1)
  })

  test.each<[string, Json]>([
    ['the record', { id: 'a', deleted: false }],
    ['an error code', { code: 'endpoint_not_found', message: 'There is no such endpoint.' }],
    ['the error of a gateway', { statusCode: 404, message: 'Not Found' }],
    ['a job', { status: 'pending', jobId: 'j' }],
    ['a text', 'Not Found'],
    ['a list', ['a']],
  ])('a success status with %s counts as a deletion only if the record is gone', async (_, body) => {
    expect((await answeredThen({ body }, { body: { id: 'a' } })).result).toMatchObject({ ok: true, output: { deleted: false } })
    expect((await answeredThen({ body }, { body })).result).toMatchObject({ ok: true, output: { deleted: false } })
    const gone = { status: 404, body: { code: 'not_found' } }
    expect((await answeredThen({ body }, gone)).result).toMatchObject({ ok: true, output: { deleted: true } })
    expect((await answeredThen({ body }, gone, { body: 'hello' })).result).toMatchObject({ ok: true, output: { deleted: false } })
  })

  test('an accepted deletion does not fail if its effect cannot be checked', async () => {
    for (const found of [{ status: 403, body: {} }, { status: 404, body: { code: 'endpoint_not_found' } }, { status: 429, body: {} }, null])
      expect(
        (await call(skill, input, ({ method }) => (method === 'DELETE' ? { status: 202, body: { status: 'pending' } } : found))).result,
      ).toMatchObject({ ok: true, output: { deleted: false } })
  })

  test('the body `false` is not a success', async () => {
    expect((await answeredThen({ body: false }, { body: { id: 'a' } })).result).toMatchObject({
      ok: false,
      effect: 'unknown',
      failure: { code: 'answer_is_error' },
    })
  })

  test('a deletion that was only accepted is checked', async () => {
    const accepted = (found: Answered) =>
      call(skill, input, ({ method, path }) => (method === 'DELETE' ? { status: 202 } : path.endsWith('/a') ? found : { body: list }))
    expect((await accepted({ body: { id: 'a' } })).result).toMatchObject({ ok: true, output: { deleted: false } })
    expect((await accepted({ status: 404, body: { message: 'Not Found' } })).result).toMatchObject({ ok: true, output: { deleted: true } })
  })
})

describe('a path that names no record', async () => {
  const calls = { mailsec: await answering('mailsec'), browser: await answering('browser') }
  const code = { body: { error: { code: 'not_found', message: 'Not found.' } } }
  const words = { body: { message: 'Not Found' } }

  test.each<[keyof typeof calls, string, Json]>([
    ['mailsec', 'get_mailsec_issues', {}],
    ['mailsec', 'get_mailsec_issues', { created_after: '2026-09-01T00:00:00Z' }],
    ['mailsec', 'list_mailsec_accounts', {}],
    ['mailsec', 'get_mailsec_detections', {}],
    ['mailsec', 'get_mailsec_trusted_entities', {}],
    ['mailsec', 'get_mailsec_case_details', { case_ids: ['c'] }],
    ['mailsec', 'search_mailsec_messages', { query: 'x' }],
    ['mailsec', 'create_mailsec_trusted_entity', { kind: 'domain', value: 'a.example' }],
    ['browser', 'list_browser_accounts', {}],
    ['browser', 'list_browser_employees', {}],
    ['browser', 'list_browser_apps', {}],
    ['browser', 'list_browser_browsers', {}],
    ['browser', 'list_browser_findings', {}],
    ['browser', 'list_browser_detections', {}],
  ])('%s: a 404 for %s means that the endpoint does not exist, whatever its body says', async (integration, skill, input) => {
    for (const answer of [code, words])
      expect((await calls[integration](skill, input, () => ({ status: 404, ...answer }))).result).toMatchObject({
        ok: false,
        effect: 'refused',
        failure: { code: 'endpoint_not_found' },
      })
  })

  test.each<[string, Json]>([
    ['mark_mailsec_messages_suspicious', { message_ids: ['m'] }],
    ['mark_mailsec_messages_sensitive', { message_ids: ['m'], sensitive: true }],
    ['update_mailsec_case_statuses', { case_ids: ['c'], status: 'open' }],
    ['update_mailsec_detections', { detection_ids: ['d'], enabled: true, scope: 'global' }],
    ['bulk_update_mailsec_trusted_entities', { operations: [{ operation: 'delete', entity_id: 'e' }] }],
  ])('a 404 for %s means that a record in its body does not exist only if its code says so', async (skill, input) => {
    const of = async (answer: Answered): Promise<unknown> => (await calls.mailsec(skill, input, () => ({ status: 404, ...answer }))).result
    expect(await of(code)).toMatchObject({ ok: false, failure: { code: 'not_found' } })
    expect(await of({ body: { code: 'MESSAGE_NOT_FOUND' } })).toMatchObject({ ok: false, failure: { code: 'not_found' } })
    expect(await of(words)).toMatchObject({ ok: false, failure: { code: 'endpoint_not_found' } })
    expect(await of({ body: { code: 'endpoint_not_found' } })).toMatchObject({ ok: false, failure: { code: 'endpoint_not_found' } })
  })
})

describe('a path that names a record', async () => {
  const calls = { mailsec: await answering('mailsec'), browser: await answering('browser') }

  test.each<[keyof typeof calls, string, Json]>([
    ['mailsec', 'get_mailsec_issue', { issue_id: 'a' }],
    ['mailsec', 'list_mailsec_issue_messages', { issue_id: 'a' }],
    ['mailsec', 'get_mailsec_message', { message_id: 'a' }],
    ['mailsec', 'get_mailsec_message_search_results', { search_id: 'a' }],
    ['mailsec', 'get_mailsec_trusted_entities', { entity_id: 'a' }],
    ['mailsec', 'update_mailsec_issue', { issue_id: 'a', status: 'open' }],
    ['mailsec', 'update_mailsec_case_status', { case_id: 'a', status: 'open' }],
    ['mailsec', 'update_mailsec_account_settings', { account_id: 'a', vip: true }],
    ['mailsec', 'update_mailsec_trusted_entity', { entity_id: 'a', enabled: true }],
    ['browser', 'get_browser_account', { account_id: 'a' }],
    ['browser', 'get_browser_app', { app_id: 'a' }],
    ['browser', 'get_browser_browser', { browser_id: 'a' }],
    ['browser', 'get_browser_detection', { detection_id: 'a' }],
    ['browser', 'get_browser_employee', { employee_id: 'a' }],
    ['browser', 'get_browser_finding', { finding_id: 'a' }],
    ['browser', 'archive_browser_detection', { detection_id: 'a' }],
    ['browser', 'set_browser_employee_licence', { employee_id: 'a', licensed: true }],
    ['browser', 'update_browser_app', { app_id: 'a', notes: null }],
  ])('%s: %s reports a missing record as not_found, and a missing endpoint as endpoint_not_found', async (integration, skill, input) => {
    const of = async (body: Json): Promise<unknown> => (await calls[integration](skill, input, () => ({ status: 404, body }))).result
    expect(await of({ error: { code: 'not_found', message: 'There is no such record.' } })).toMatchObject({
      ok: false,
      failure: { code: 'not_found' },
    })
    for (const [, body] of noEndpoint) expect(await of(body)).toMatchObject({ ok: false, failure: { code: 'endpoint_not_found' } })
  })
})
