import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { makePki } from '../../simulators/pki.ts'
import { acme, admin, at, create, fieldsOf, read, reader, refusalOf, simulator } from './connections-system.ts'

describe('a connection test, for each row of specification 7.2', () => {
  const run = (connection: Answer): Promise<Answer> => request(admin, 'POST', `${at(connection)}/test`)

  test('a successful test is stored with its time, and the revision stays', async () => {
    const made = await create()
    const result = await run(made)
    expect(result).toEqual({
      ok: true,
      status: 200,
      code: null,
      cause: null,
      remedy: null,
      checked_at: expect.any(Number),
      reachable: null,
      reachable_note: null,
      role: null,
    })
    expect(await read(made)).toEqual({ ...made, last_test: result })
  })

  test('a wrong token is reported', async () => {
    expect(await run(await create({}, { api_token: 'wrong' }))).toMatchObject({
      ok: false,
      status: 401,
      code: 'credentials_rejected',
      cause: expect.stringContaining('missing, invalid, revoked or was miscopied'),
      remedy: expect.stringContaining('Create a new token'),
    })
  })

  test('a role without the permission is reported', async () => {
    simulator.faults.add({
      fault: { kind: 'answer', effect: 'none', reply: { status: 403, body: '{"error":{"code":"permission_denied","message":"no"}}' } },
      times: 1,
    })
    expect(await run(await create())).toMatchObject({
      status: 403,
      code: 'role_insufficient',
      remedy: expect.stringContaining('the role that the skill needs'),
    })
  })

  test('a header that a proxy removed is reported', async () => {
    simulator.faults.add({
      fault: {
        kind: 'answer',
        effect: 'none',
        reply: { status: 401, body: '{"error":{"message":"The x-vendor-client-secret header is required."}}' },
      },
      times: 1,
    })
    expect(await run(await create())).toMatchObject({ code: 'auth_header_missing' })
  })

  test('a path in the base URL is refused when it is saved; an address that is not the API is reported by the test', async () => {
    expect(fieldsOf(await refusalOf(create({}, { base_url: `${simulator.url}/api/v1` })))).toEqual(['credentials.base_url'])
    simulator.faults.add({
      fault: { kind: 'answer', effect: 'none', reply: { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>x</html>' } },
      times: 1,
    })
    expect(await run(await create())).toMatchObject({ status: 404, code: 'endpoint_not_found', remedy: expect.stringContaining('origin') })
    simulator.fail({ failure: 'html' })
    expect(await run(await create())).toMatchObject({ ok: false, status: 200, code: 'answer_not_understood' })
  })

  test('a host name that does not resolve is reported', async () => {
    const result = await run(await create({}, { base_url: 'https://no-such-host.invalid' }))
    expect(result).toMatchObject({ ok: false, status: null, code: 'network', remedy: expect.stringContaining('DNS') })
    expect(result['cause']).toMatch(/^The host name could not be resolved: .*no-such-host\.invalid.*(ENOTFOUND|EAI_AGAIN)/)
  })

  test('a certificate that no trusted CA signed is reported', async () => {
    const { key, cert } = makePki()
    const stranger = createServer({ key, cert }, (_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    const result = await run(await create({}, { base_url: `https://127.0.0.1:${port}` }))
    expect(result).toMatchObject({ ok: false, status: null, code: 'network', remedy: expect.stringContaining('certificate') })
    expect(result['cause']).toMatch(/^No trusted CA has signed the certificate/)
    stranger.close()
  })

  test('a timeout is reported', async () => {
    simulator.fail({ failure: 'hold', times: 2 })
    const impatient = await create({ integration: 'impatient' })
    expect(await run(impatient)).toMatchObject({ ok: false, status: null, code: 'call_timeout', reachable: false, reachable_note: 'Says nothing.' })
    simulator.faults.clear()
    expect(await run(impatient)).toMatchObject({ ok: true, reachable: false })
  })

  test('an internal address that is not allowed is refused', async () => {
    expect(await run(await create({}, { base_url: 'https://10.0.0.1' }))).toMatchObject({ ok: false, status: null, code: 'egress_refused' })
  })

  test.each(['{"meta":{},"items":[]}', ''])('an empty answer is a success, with a possible cause: %j', async (body) => {
    simulator.faults.add({ fault: { kind: 'answer', effect: 'none', reply: { status: 200, body } }, times: 1 })
    expect(await run(await create())).toMatchObject({ ok: true, status: 200, code: 'nothing_visible', cause: expect.stringContaining('role') })
  })

  test('expired credentials are not sent', async () => {
    const before = simulator.counts.requests
    expect(await run(await create({ expires_at: 1 }))).toMatchObject({ ok: false, status: null, code: 'connection_expired' })
    expect(simulator.counts.requests).toBe(before)
  })
})

describe('running a skill by hand', () => {
  const run = (connection: Answer, skill: string, input: object, as: Target = acme): Promise<Answer> =>
    request(as, 'POST', `${at(connection)}/skills/${skill}`, { input })

  test('returns the output, with the full or the short name of the skill', async () => {
    const made = await create()
    const result = await run(made, 'get_mailsec_issues', { status: 'open', max_items: 2 }, reader)
    expect(result).toMatchObject({ ok: true, output: { issues: [{ id: expect.stringMatching(/^iss\.1\./) }, {}] } })
    expect(await run(made, 'mailsec.get_mailsec_issues', { status: 'open', max_items: 2 }, reader)).toEqual(result)
  })

  test('a failure says what effect the call had, and quotes the vendor', async () => {
    const result = await run(await create(), 'get_mailsec_issue', { issue_id: 'iss.1.none' })
    expect(result).toMatchObject({ ok: false, effect: 'refused', code: 'not_found', vendor: { status: 404, code: 'not_found' } })
    expect(result).toMatchObject({ message: expect.stringContaining('There is no such issue'), remedy: expect.any(String) })
  })

  test('a write needs the permission to write, and is sent once', async () => {
    const made = await create()
    const { output } = await run(made, 'get_mailsec_issues', { max_items: 1 })
    const [issue] = (output as { issues: { id: string }[] }).issues
    const input = { issue_id: issue?.id, status: 'in_progress' }
    expect(await refusalOf(run(made, 'update_mailsec_issue', input, reader))).toMatchObject({ code: 'permission_missing' })
    expect(simulator.counts.writes).toBe(0)
    expect(await run(made, 'update_mailsec_issue', input)).toMatchObject({ ok: true, output: { issue: { status: 'in_progress' } } })
    expect(simulator.counts.writes).toBe(1)
    simulator.fail({ failure: 'cut_after_effect', method: 'PATCH' })
    expect(await run(made, 'update_mailsec_issue', input)).toMatchObject({ ok: false, effect: 'unknown', code: 'network' })
  })

  test('a role that is too low, an invalid input and an expired connection are refused before anything is sent', async () => {
    const before = simulator.counts.requests
    const low = await create({ role: 'any_admin_role' })
    expect(await run(low, 'update_mailsec_issue', { issue_id: 'i', status: 'open' })).toMatchObject({
      ok: false,
      effect: 'not_sent',
      code: 'role_too_low',
      message: expect.stringContaining('issue_responder'),
    })
    expect(await run(low, 'get_mailsec_issues', { max_items: 'many' })).toMatchObject({ effect: 'not_sent', code: 'skill_input_invalid' })
    expect(await run(await create({ expires_at: 1 }), 'get_mailsec_issues', {})).toMatchObject({ effect: 'not_sent', code: 'connection_expired' })
    expect(simulator.counts.requests).toBe(before)
    expect(await run(low, 'list_mailsec_accounts', { max_items: 1 })).toMatchObject({ ok: true })
  })

  test('an unknown skill is an error of the request', async () => {
    expect(await refusalOf(run(await create(), 'get_nothing', {}))).toMatchObject({ code: 'skill_unknown' })
  })
})
