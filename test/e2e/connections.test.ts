import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, Refused, request, type Target } from '../../runtime/cli/client.ts'
import { type Running, start } from '../../runtime/cli/start.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { caFile, makePki, openPki } from '../simulators/pki.ts'
import { type Installation, newInstallation } from '../support/installation.ts'

/** Connections as people handle them, against the e-mail-security simulator over HTTPS. */
let installation: Installation
let simulator: MailsecSimulator
let running: Running
let admin: Target
let acme: Target
let reader: Target

async function newKey(scopes: readonly string[], organizations: readonly string[]): Promise<Target> {
  const { key } = await request(admin, 'POST', '/platformapi/keys', { name: 'test', scopes, organizations })
  return { url: running.url, key: String(key) }
}

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const pki = openPki(folder)
  simulator = await startMailsecSimulator({ pki, token: 'right-token', issues: 5 })
  const plugins = [join(import.meta.dirname, '../../plugins'), join(import.meta.dirname, 'plugins')].join(',')
  const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLUGINS: plugins }, { port: '0' })
  running = await start(config, { api: true, worker: false }, createLogger({ level: config.logLevel, destination: process.stderr }))
  admin = { url: running.url, key: installation.adminKey }
  for (const code of ['ACME', 'OTHER']) await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
  acme = await newKey(['connections:read', 'connections:write'], ['ACME'])
  reader = await newKey(['connections:read'], ['ACME'])
})
beforeEach(() => {
  simulator.faults.clear()
  simulator.setRole('issue_responder')
})
afterAll(async () => {
  await running?.stop()
  await simulator?.close()
  await installation?.remove()
})

let instances = 0
async function create(parts: object = {}, credentials: object = {}): Promise<Answer> {
  instances += 1
  return request(admin, 'POST', '/platformapi/connections', {
    instance: `mail ${instances}`,
    integration: 'mailsec',
    organization_code: 'ACME',
    credentials: { base_url: simulator.url, api_token: 'right-token', ...credentials },
    ...parts,
  })
}

const at = ({ id }: Answer): string => `/platformapi/connections/${String(id)}`
const read = (connection: Answer): Promise<Answer> => request(admin, 'GET', at(connection))

async function refusalOf(promise: Promise<unknown>): Promise<Answer> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refused)) throw new Error('it was not refused')
  return error.problem
}

function fieldsOf(problem: Answer): string[] {
  return ((problem['errors'] ?? []) as { field: string }[]).map(({ field }) => field)
}

describe('changing', () => {
  test('the named fields change, the rest stays, and the revision rises', async () => {
    const made = await create({ description: 'before', expires_at: 99 })
    expect(made).toMatchObject({ expired: true, remote_agent: null, role: null, last_test: null, revision: 1 })
    const changed = await request(acme, 'PATCH', at(made), {
      revision: 1,
      instance: 'renamed',
      description: 'after',
      expires_at: null,
      remote_agent: 'agent-1',
      role: 'analyst',
    })
    expect(changed).toMatchObject({ instance: 'renamed', description: 'after', expires_at: null, expired: false, remote_agent: 'agent-1' })
    expect(changed).toMatchObject({ role: 'analyst', revision: 2, credentials: { base_url: simulator.url }, secrets_set: ['api_token'] })
    expect(await read(made)).toEqual(changed)
    expect(await request(acme, 'POST', `${at(made)}/test`)).toMatchObject({ ok: true })
  })

  test('a slot of a playbook is served by one connection, and who serves it says so', async () => {
    const slots = ['phishing-reported.mail']
    const made = await create({ slots })
    expect(made).toMatchObject({ slots })
    const other = await create()
    expect(fieldsOf(await refusalOf(request(acme, 'PATCH', at(other), { revision: 1, slots })))).toEqual(['slots'])
    expect(await request(acme, 'PATCH', at(made), { revision: 1, slots: [] })).toMatchObject({ slots: [] })
    expect(await request(acme, 'PATCH', at(other), { revision: 1, slots })).toMatchObject({ slots })
    expect(fieldsOf(await refusalOf(request(acme, 'PATCH', at(other), { revision: 2, slots: ['mail'] })))).toEqual(['slots.0'])
  })

  test('a change that was made on another revision is refused and changes nothing', async () => {
    const made = await create()
    await request(admin, 'PATCH', at(made), { revision: 1, description: 'first' })
    const problem = await refusalOf(request(admin, 'PATCH', at(made), { revision: 1, description: 'second' }))
    expect(problem).toMatchObject({ code: 'connection_changed', status: 409 })
    expect(await read(made)).toMatchObject({ description: 'first', revision: 2 })
  })

  test('another address asks for the secrets again, because they would go there', async () => {
    const made = await create()
    const elsewhere = { base_url: 'https://elsewhere.example' }
    const problem = await refusalOf(request(admin, 'PATCH', at(made), { revision: 1, credentials: elsewhere }))
    expect(problem).toMatchObject({ code: 'connection_invalid' })
    expect(fieldsOf(problem)).toEqual(['credentials.api_token'])
    expect(await read(made)).toEqual(made)
    expect(await request(admin, 'PATCH', at(made), { revision: 1, credentials: { base_url: simulator.url } })).toMatchObject({ revision: 2 })
    const moved = await request(admin, 'PATCH', at(made), { revision: 2, credentials: { ...elsewhere, api_token: 'new' } })
    expect(moved).toMatchObject({ credentials: elsewhere, revision: 3 })
  })

  test('a new secret is used at once, and a required one cannot be taken away', async () => {
    const made = await create({}, { api_token: 'wrong-token' })
    expect(await request(admin, 'POST', `${at(made)}/test`)).toMatchObject({ ok: false, code: 'credentials_rejected' })
    const changed = await request(admin, 'PATCH', at(made), { revision: 1, credentials: { api_token: 'right-token' } })
    expect(changed['last_test']).toBeNull()
    expect(await request(admin, 'POST', `${at(made)}/test`)).toMatchObject({ ok: true })
    expect(fieldsOf(await refusalOf(request(admin, 'PATCH', at(made), { revision: 2, credentials: { api_token: null } })))).toEqual([
      'credentials.api_token',
    ])
  })

  test.each([
    [{ credentials: { api_tokn: 'x' } }, 'credentials.api_tokn'],
    [{ credentials: { api_token: '"quoted"' } }, 'credentials.api_token'],
    [{ role: 'emperor' }, 'role'],
    [{ paste: 'a=b' }, 'paste'],
  ])('%j is refused by its field', async (change, field) => {
    const made = await create()
    const problem = await refusalOf(request(admin, 'PATCH', at(made), { revision: 1, ...change }))
    expect(problem['code']).toBe('connection_invalid')
    expect(fieldsOf(problem)).toEqual([field])
  })

  test('an organization has one default of an integration; the mark is taken from the one before it is given to another', async () => {
    const first = await create({ organization_code: 'OTHER', is_default: true })
    expect(await refusalOf(create({ organization_code: 'OTHER', is_default: true }))).toMatchObject({ code: 'connection_default_exists' })
    const second = await create({ organization_code: 'OTHER' })
    const mark = (): Promise<Answer> => request(admin, 'PATCH', at(second), { revision: 1, is_default: true })
    expect(await refusalOf(mark())).toMatchObject({ code: 'connection_default_exists' })
    await request(admin, 'PATCH', at(first), { revision: 1, is_default: false })
    expect(await mark()).toMatchObject({ is_default: true })
  })

  test('what is of another organization is not there, and what is shared needs a key of all', async () => {
    const foreign = await create({ organization_code: 'OTHER' })
    const shared = await create({ organization_code: null })
    for (const [connection, code] of [
      [foreign, 'connection_unknown'],
      [shared, 'organization_forbidden'],
    ] as const) {
      expect(await refusalOf(request(acme, 'PATCH', at(connection), { revision: 1, description: 'x' }))).toMatchObject({ code })
      expect(await refusalOf(request(acme, 'POST', `${at(connection)}/test`))).toMatchObject({ code })
      expect(await refusalOf(request(acme, 'POST', `${at(connection)}/skills/get_mailsec_issues`, {}))).toMatchObject({ code })
      expect(await read(connection)).toEqual(connection)
    }
  })

  test('lists are by organization and integration', async () => {
    const mine = await create({ organization_code: 'OTHER' })
    await create({ organization_code: null })
    const { items } = await request(admin, 'GET', '/platformapi/connections?organization=OTHER&integration=mailsec&limit=1000')
    expect((items as Answer[]).map((item) => item['organization_code']).every((code) => code === 'OTHER')).toBe(true)
    expect((items as Answer[]).map(({ id }) => id)).toContain(mine['id'])
    expect((await request(admin, 'GET', '/platformapi/connections?integration=none'))['items']).toEqual([])
    expect(await refusalOf(request(acme, 'GET', '/platformapi/connections?organization=OTHER'))).toMatchObject({ code: 'organization_unknown' })
  })
})

describe('testing: section 7.2 of the specification', () => {
  const run = (connection: Answer): Promise<Answer> => request(admin, 'POST', `${at(connection)}/test`)

  test('a test that goes well is kept with its time, and the revision stays', async () => {
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

  test('a wrong token', async () => {
    expect(await run(await create({}, { api_token: 'wrong' }))).toMatchObject({
      ok: false,
      status: 401,
      code: 'credentials_rejected',
      cause: expect.stringContaining('missing, invalid, revoked or was miscopied'),
      remedy: expect.stringContaining('Create a new token'),
    })
  })

  test('a role that lacks the permission', async () => {
    simulator.faults.add({
      fault: { kind: 'answer', effect: 'none', reply: { status: 403, body: '{"error":{"code":"permission_denied","message":"no"}}' } },
      times: 1,
    })
    expect(await run(await create())).toMatchObject({ status: 403, code: 'role_insufficient', remedy: expect.stringContaining('minimum role') })
  })

  test('a header that a proxy took away', async () => {
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

  test('a path in the base URL is refused when it is saved, and an address that is not the API when it is tested', async () => {
    expect(fieldsOf(await refusalOf(create({}, { base_url: `${simulator.url}/api/v1` })))).toEqual(['credentials.base_url'])
    simulator.faults.add({
      fault: { kind: 'answer', effect: 'none', reply: { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>x</html>' } },
      times: 1,
    })
    expect(await run(await create())).toMatchObject({ status: 404, code: 'endpoint_not_found', remedy: expect.stringContaining('origin') })
    simulator.fail({ failure: 'html' })
    expect(await run(await create())).toMatchObject({ ok: false, status: 200, code: 'answer_not_understood' })
  })

  test('a name that does not resolve', async () => {
    const result = await run(await create({}, { base_url: 'https://no-such-host.invalid' }))
    expect(result).toMatchObject({ ok: false, status: null, code: 'network', remedy: expect.stringContaining('DNS') })
    expect(result['cause']).toMatch(/^The host name could not be resolved: .*no-such-host\.invalid.*(ENOTFOUND|EAI_AGAIN)/)
  })

  test('a certificate that nobody vouches for', async () => {
    const { key, cert } = makePki()
    const stranger = createServer({ key, cert }, (_request, response) => response.end('{}'))
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    const result = await run(await create({}, { base_url: `https://127.0.0.1:${port}` }))
    expect(result).toMatchObject({ ok: false, status: null, code: 'network', remedy: expect.stringContaining('certificate') })
    expect(result['cause']).toMatch(/^Nobody trusted vouches for the certificate/)
    stranger.close()
  })

  test('an answer that does not come in time', async () => {
    simulator.fail({ failure: 'hold', times: 2 })
    const impatient = await create({ integration: 'impatient' })
    expect(await run(impatient)).toMatchObject({ ok: false, status: null, code: 'call_timeout', reachable: false, reachable_note: 'Says nothing.' })
    simulator.faults.clear()
    expect(await run(impatient)).toMatchObject({ ok: true, reachable: false })
  })

  test('an address inside that nobody allowed', async () => {
    expect(await run(await create({}, { base_url: 'https://10.0.0.1' }))).toMatchObject({ ok: false, status: null, code: 'egress_refused' })
  })

  test.each(['{"meta":{},"items":[]}', ''])('an empty answer is a success that says what it may mean: %j', async (body) => {
    simulator.faults.add({ fault: { kind: 'answer', effect: 'none', reply: { status: 200, body } }, times: 1 })
    expect(await run(await create())).toMatchObject({ ok: true, status: 200, code: 'nothing_visible', cause: expect.stringContaining('role') })
  })

  test('expired credentials are not tried', async () => {
    const before = simulator.counts.requests
    expect(await run(await create({ expires_at: 1 }))).toMatchObject({ ok: false, status: null, code: 'connection_expired' })
    expect(simulator.counts.requests).toBe(before)
  })
})

describe('running a skill by hand', () => {
  const run = (connection: Answer, skill: string, input: object, as: Target = acme): Promise<Answer> =>
    request(as, 'POST', `${at(connection)}/skills/${skill}`, { input })

  test('its output is the answer, under either name', async () => {
    const made = await create()
    const result = await run(made, 'get_mailsec_issues', { status: 'open', max_items: 2 }, reader)
    expect(result).toMatchObject({ ok: true, output: { issues: [{ id: expect.stringMatching(/^iss\.1\./) }, {}] } })
    expect(await run(made, 'mailsec.get_mailsec_issues', { status: 'open', max_items: 2 }, reader)).toEqual(result)
  })

  test('a failure says what became of it, with the vendor’s own words', async () => {
    const result = await run(await create(), 'get_mailsec_issue', { issue_id: 'iss.1.none' })
    expect(result).toMatchObject({ ok: false, effect: 'refused', code: 'not_found', vendor: { status: 404, code: 'not_found' } })
    expect(result).toMatchObject({ message: expect.stringContaining('There is no such issue'), remedy: expect.any(String) })
  })

  test('a write needs more than reading, and is done once', async () => {
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

  test('a role that is not enough, an input that does not fit and an expired connection are refused before anything is sent', async () => {
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

  test('a skill that is not there is an error of the request', async () => {
    expect(await refusalOf(run(await create(), 'get_nothing', {}))).toMatchObject({ code: 'skill_unknown' })
  })
})

describe('pasting', () => {
  test('a file fills the fields that the manifest takes from it', async () => {
    const made = await create({
      integration: 'impatient',
      credentials: undefined,
      paste: `# file\nurl=${simulator.url.replace(':', '\\:')}\ntoken=right-token\n`,
    })
    expect(made).toMatchObject({ credentials: { base_url: simulator.url }, secrets_set: ['api_token'] })
    expect(await request(admin, 'PATCH', at(made), { revision: 1, paste: 'token=another' })).toMatchObject({ revision: 2 })
    expect(await request(admin, 'PATCH', at(made), { revision: 2, paste: `token=again\nurl=https://other.example` })).toMatchObject({ revision: 3 })
  })

  test('what it lacks is missing, what is quoted is explained, and nothing is given twice', async () => {
    const paste = (text: string, credentials?: object): Promise<Answer> => refusalOf(create({ integration: 'impatient', credentials, paste: text }))
    expect(fieldsOf(await paste(`url=${simulator.url}`))).toEqual(['credentials.api_token'])
    expect(fieldsOf(await paste(`url=${simulator.url}\ntoken="right-token"`))).toEqual(['credentials.api_token'])
    expect(fieldsOf(await paste(`url=${simulator.url}\ntoken=x`, { api_token: 'y' }))).toEqual(['credentials.api_token'])
    expect(fieldsOf(await paste('admin=x'))).toEqual(['paste'])
  })
})

describe('the command line', () => {
  const main = fileURLToPath(new URL('../../runtime/main.ts', import.meta.url))

  /** Runs the command to its end, with a text on its standard input. */
  async function tocsin(stdin: string, ...words: string[]): Promise<{ out: string; err: string; code: number | null }> {
    const child = spawn(process.execPath, [main, ...words], {
      env: { ...process.env, TOCSIN_URL: running.url, TOCSIN_API_KEY: installation.adminKey, NO_COLOR: '1' },
    })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    child.stdin.end(stdin)
    const [code] = (await once(child, 'close')) as [number | null]
    return { out: await out, err: await err, code }
  }

  test('tests a connection, and says by its exit code how it went', async () => {
    const made = await create()
    expect(await tocsin('', 'connection', 'test', String(made['id']))).toMatchObject({ code: 0, out: expect.stringMatching(/^ok +true$/m) })
    simulator.fail({ failure: 'unauthorized' })
    const failed = await tocsin('', 'connection', 'test', String(made['instance']), '--organization', 'ACME', '--json')
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({ ok: false, code: 'credentials_rejected' })
  })

  test('changes what is named, with secrets from standard input, and never repeats them', async () => {
    const made = await create({ is_default: false, role: 'analyst', expires_at: 5 })
    const update = (stdin: string, ...words: string[]) => tocsin(stdin, 'connection', 'update', String(made['instance']), ...words)
    const flags = ['--no-role', '--expires', '2030-01-01', '--instance', 'new name', '--credentials', '-']
    expect(await update('{"api_token": canary}', ...flags)).toMatchObject({ code: 1, err: expect.not.stringContaining('canary') })
    expect(await update('{"api_token":"canary"}', ...flags)).toMatchObject({ code: 0, out: expect.not.stringContaining('canary') })
    expect(await read(made)).toMatchObject({ role: null, expires_at: Date.UTC(2030, 0), instance: 'new name', revision: 2, is_default: false })
  })

  test('runs a read and prints its output; a name that several connections have is asked about', async () => {
    const made = await create({ instance: 'twice' })
    const run = (...words: string[]) => tocsin('', 'skill', 'run', 'mailsec.get_mailsec_issues', '--input', '{"max_items":1}', ...words)
    const result = await run('--connection', 'twice')
    expect({ code: result.code, ...JSON.parse(result.out) }).toMatchObject({ code: 0, ok: true, output: { issues: [{}] } })
    const bare = ['skill', 'run', '--connection', 'twice', '--input', '{"max_items":1}']
    expect(JSON.parse((await tocsin('', ...bare, 'get_mailsec_issues')).out)).toEqual(JSON.parse(result.out))
    expect(await tocsin('', ...bare, 'get_nothing')).toMatchObject({ code: 1, err: expect.stringContaining('skill_unknown') })
    await create({ instance: 'twice', organization_code: 'OTHER' })
    expect(await run('--connection', 'twice')).toMatchObject({ code: 1, err: expect.stringContaining('connection_ambiguous') })
    expect(await run('--connection', 'twice', '--organization', 'ACME')).toMatchObject({ code: 0 })
    expect(await run('--connection', String(made['id']))).toMatchObject({ code: 0 })
    expect(await run('--connection', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('connection_unknown') })
  })

  test('asks before a write: only yes goes on, and --yes does not ask', async () => {
    const made = await create()
    const issue = await request(admin, 'POST', `${at(made)}/skills/get_mailsec_issues`, { input: { max_items: 1 } })
    const [{ id }] = (issue['output'] as { issues: [{ id: string }] }).issues
    const words = ['skill', 'run', 'mailsec.update_mailsec_issue', '--connection', String(made['id'])]
    const input = ['--input', JSON.stringify({ issue_id: id, status: 'in_progress' })]
    const before = simulator.counts.writes
    for (const answer of ['', 'n\n']) {
      const refused = await tocsin(answer, ...words, ...input)
      expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining('write_not_confirmed') })
    }
    expect(simulator.counts.writes).toBe(before)
    expect(await tocsin('y\n', ...words, ...input)).toMatchObject({ code: 0, out: expect.stringContaining('"ok": true') })
    expect(await tocsin('', ...words, ...input, '--yes')).toMatchObject({ code: 0, err: '' })
    expect(simulator.counts.writes).toBe(before + 2)
    const failed = await tocsin('', ...words, '--input', '{"issue_id":"iss.1.none","status":"open"}', '--yes')
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({ ok: false, effect: 'refused', code: 'not_found' })
  })
})
