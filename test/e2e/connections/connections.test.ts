import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { acme, admin, at, create, fieldsOf, installation, read, refusalOf, running, simulator } from './connections-system.ts'

describe('changing', () => {
  test('only the named fields change, and the revision rises', async () => {
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
    expect(await request(acme, 'POST', `${at(made)}/test`)).toMatchObject({ ok: false, code: 'agent_offline' })
    await request(acme, 'PATCH', at(made), { revision: 2, remote_agent: null })
    expect(await request(acme, 'POST', `${at(made)}/test`)).toMatchObject({ ok: true })
  })

  test('only one connection can serve a slot of a playbook, and it shows the slot', async () => {
    const slots = ['phishing-reported.mail']
    const made = await create({ slots })
    expect(made).toMatchObject({ slots })
    const other = await create()
    expect(fieldsOf(await refusalOf(request(acme, 'PATCH', at(other), { revision: 1, slots })))).toEqual(['slots'])
    expect(await request(acme, 'PATCH', at(made), { revision: 1, slots: [] })).toMatchObject({ slots: [] })
    expect(await request(acme, 'PATCH', at(other), { revision: 1, slots })).toMatchObject({ slots })
    expect(fieldsOf(await refusalOf(request(acme, 'PATCH', at(other), { revision: 2, slots: ['mail'] })))).toEqual(['slots.0'])
  })

  test('a change based on an older revision is refused and changes nothing', async () => {
    const made = await create()
    await request(admin, 'PATCH', at(made), { revision: 1, description: 'first' })
    const problem = await refusalOf(request(admin, 'PATCH', at(made), { revision: 1, description: 'second' }))
    expect(problem).toMatchObject({ code: 'connection_changed', status: 409 })
    expect(await read(made)).toMatchObject({ description: 'first', revision: 2 })
  })

  test('a new address needs the secrets again, because they would be sent there', async () => {
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

  test('a new secret is used at once, and a required one cannot be removed', async () => {
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
  ])('%j is refused, and the error names the field', async (change, field) => {
    const made = await create()
    const problem = await refusalOf(request(admin, 'PATCH', at(made), { revision: 1, ...change }))
    expect(problem['code']).toBe('connection_invalid')
    expect(fieldsOf(problem)).toEqual([field])
  })

  test('an organization has one default connection per integration; it must be unset before another one is set', async () => {
    const first = await create({ organization_code: 'OTHER', is_default: true })
    expect(await refusalOf(create({ organization_code: 'OTHER', is_default: true }))).toMatchObject({ code: 'connection_default_exists' })
    const second = await create({ organization_code: 'OTHER' })
    const mark = (): Promise<Answer> => request(admin, 'PATCH', at(second), { revision: 1, is_default: true })
    expect(await refusalOf(mark())).toMatchObject({ code: 'connection_default_exists' })
    await request(admin, 'PATCH', at(first), { revision: 1, is_default: false })
    expect(await mark()).toMatchObject({ is_default: true })
  })

  test("another organization's connection is unknown, and a shared one needs a key of all organizations", async () => {
    const foreign = await create({ organization_code: 'OTHER' })
    const shared = await create({ organization_code: null })
    for (const [connection, code] of [
      [foreign, 'connection_unknown'],
      [shared, 'organization_forbidden'],
    ] as const) {
      expect(await refusalOf(request(acme, 'PATCH', at(connection), { revision: 1, description: 'x' }))).toMatchObject({ code })
      expect(await refusalOf(request(acme, 'POST', `${at(connection)}/test`))).toMatchObject({ code })
      expect(await refusalOf(request(acme, 'POST', `${at(connection)}/skills/get_mailsec_issues`, {}))).toMatchObject({ code })
      expect(await refusalOf(request(acme, 'DELETE', at(connection)))).toMatchObject({ code })
      expect(await read(connection)).toEqual(connection)
    }
  })

  test('lists can be filtered by organization and integration', async () => {
    const mine = await create({ organization_code: 'OTHER' })
    await create({ organization_code: null })
    const { items } = await request(admin, 'GET', '/platformapi/connections?organization=OTHER&integration=mailsec&limit=1000')
    expect((items as Answer[]).map((item) => item['organization_code']).every((code) => code === 'OTHER')).toBe(true)
    expect((items as Answer[]).map(({ id }) => id)).toContain(mine['id'])
    expect((await request(admin, 'GET', '/platformapi/connections?integration=none'))['items']).toEqual([])
    expect(await refusalOf(request(acme, 'GET', '/platformapi/connections?organization=OTHER'))).toMatchObject({ code: 'organization_unknown' })
  })
})

describe('pasting', () => {
  test('a file fills the fields that the manifest maps to it', async () => {
    const made = await create({
      integration: 'impatient',
      credentials: undefined,
      paste: `# file\nurl=${simulator.url.replace(':', '\\:')}\ntoken=right-token\n`,
    })
    expect(made).toMatchObject({ credentials: { base_url: simulator.url }, secrets_set: ['api_token'] })
    expect(await request(admin, 'PATCH', at(made), { revision: 1, paste: 'token=another' })).toMatchObject({ revision: 2 })
    expect(await request(admin, 'PATCH', at(made), { revision: 2, paste: `token=again\nurl=https://other.example` })).toMatchObject({ revision: 3 })
  })

  test('a file is refused if a field is missing, quoted, or also given as a credential, or if it has no known field', async () => {
    const paste = (text: string, credentials?: object): Promise<Answer> => refusalOf(create({ integration: 'impatient', credentials, paste: text }))
    expect(fieldsOf(await paste(`url=${simulator.url}`))).toEqual(['credentials.api_token'])
    expect(fieldsOf(await paste(`url=${simulator.url}\ntoken="right-token"`))).toEqual(['credentials.api_token'])
    expect(fieldsOf(await paste(`url=${simulator.url}\ntoken=x`, { api_token: 'y' }))).toEqual(['credentials.api_token'])
    expect(fieldsOf(await paste('admin=x'))).toEqual(['paste'])
  })
})

describe('the command line', () => {
  const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))

  /** Runs the command with a text on its standard input. Returns what it prints, and its exit code. */
  async function tocsin(stdin: string, ...words: string[]): Promise<{ out: string; err: string; code: number | null }> {
    const child = spawn(process.execPath, [main, ...words], {
      env: { ...process.env, TOCSIN_URL: running.url, TOCSIN_API_KEY: installation.adminKey, NO_COLOR: '1' },
    })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    child.stdin.end(stdin)
    const [code] = (await once(child, 'close')) as [number | null]
    return { out: await out, err: await err, code }
  }

  test('tests a connection, and reports the result by its exit code', async () => {
    const made = await create()
    const passed = await tocsin('', 'connection', 'test', String(made['id']))
    expect(passed).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\S+ works: the external system answered with status 200/),
    })
    simulator.fail({ failure: 'unauthorized' })
    const failed = await tocsin('', 'connection', 'test', String(made['instance']), '--organization', 'ACME', '--json')
    expect(failed.code).toBe(1)
    simulator.fail({ failure: 'unauthorized' })
    const told = await tocsin('', 'connection', 'test', String(made['id']))
    expect(told).toMatchObject({ code: 1, out: expect.stringMatching(/does not work: credentials_rejected; .*status 401[\s\S]*remedy: +\S/) })
    expect(JSON.parse(failed.out)).toMatchObject({ ok: false, code: 'credentials_rejected' })
  })

  test('changes the named fields, reads secrets from standard input, and never prints them', async () => {
    const made = await create({ is_default: false, role: 'analyst', expires_at: 5 })
    const update = (stdin: string, ...words: string[]) => tocsin(stdin, 'connection', 'update', String(made['instance']), ...words)
    const flags = ['--no-role', '--expires', '2030-01-01', '--instance', 'new name', '--credentials', '-']
    expect(await update('{"api_token": canary}', ...flags)).toMatchObject({ code: 1, err: expect.not.stringContaining('canary') })
    expect(await update('{"api_token":"canary"}', ...flags)).toMatchObject({ code: 0, out: expect.not.stringContaining('canary') })
    expect(await read(made)).toMatchObject({ role: null, expires_at: Date.UTC(2030, 0), instance: 'new name', revision: 2, is_default: false })
  })

  test('runs a read and prints its output; refuses a name that several connections share', async () => {
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

  test('asks before a write, and sends it only after a yes or with --yes', async () => {
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

test('an organization has at most 100 connections; deleting one makes room', async () => {
  const full = 'FULL'
  await request(admin, 'POST', '/platformapi/organizations', { code: full, name: full })
  const made: Answer[] = []
  while (made.length < 100) made.push(...(await Promise.all(Array.from({ length: 10 }, () => create({ organization_code: full })))))
  expect(await refusalOf(create({ organization_code: full }))).toMatchObject({ code: 'connections_exceeded', status: 409 })
  await request(admin, 'DELETE', at(made[0] as Answer))
  expect(await create({ organization_code: full })).toMatchObject({ organization_code: full })
  expect(await create()).toMatchObject({ organization_code: 'ACME' })
})
