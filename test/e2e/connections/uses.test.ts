import { afterEach, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { acme, admin, at, create, newKey, reader, refusalOf, simulator } from './connections-system.ts'

const playbook = (name: string, slots: string): string =>
  `format: 1\nplaybook: ${name}\nalert_type: ${name}\n${slots}steps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    with: {}\n${slots === '' ? '' : '    if: { var: connections.mail.bound }\n'}`
const withdrawals: (() => Promise<unknown>)[] = []
async function activate(name: string, slots: string, organization: string | null): Promise<void> {
  await request(admin, 'POST', '/platformapi/playbooks', { organization_code: organization, playbooks: [{ text: playbook(name, slots) }] })
  withdrawals.push(() => request(admin, 'DELETE', `/platformapi/playbooks/${name}${organization === null ? '' : `?organization=${organization}`}`))
}
/** The uses by playbooks of these tests. The shipped playbooks use connections too. */
const uses = async (connection: Answer, as = admin): Promise<Answer[]> =>
  ((await request(as, 'GET', `${at(connection)}/uses`))['items'] as Answer[]).filter(({ playbook }) =>
    ['only-one', 'for-all'].includes(String(playbook)),
  )

let made: Answer[] = []
afterEach(async () => {
  for (const each of made) await request(admin, 'DELETE', at(each))
  made = []
  for (const withdraw of withdrawals.splice(0)) await withdraw()
})
async function kept(...parts: Parameters<typeof create>): Promise<Answer> {
  const connection = await create(...parts)
  made.push(connection)
  return connection
}

test('the uses of a connection are the slots that a run would bind to it, and say what would take over', async () => {
  const mine = await kept()
  await activate('only-one', '', 'ACME')
  expect(await uses(mine)).toEqual([
    {
      organization_code: 'ACME',
      playbook: 'only-one',
      kind: 'playbook',
      keys: ['only-one'],
      slot: 'mailsec',
      optional: false,
      skills: ['mailsec.get_mailsec_issues'],
      chosen_by: 'only',
      without: { connection: null, instance: null, why_none: 'there is none' },
    },
  ])
  const shared = await kept({ organization_code: null })
  expect((await uses(mine))[0]).toMatchObject({ without: { connection: shared['id'], instance: shared['instance'], why_none: null } })
  expect((await uses(shared)).filter(({ organization_code }) => organization_code === 'ACME')).toEqual([])
  await activate('for-all', 'connections: { mail: { integration: mailsec, optional: true } }\n', null)
  expect(await uses(shared)).toMatchObject([{ organization_code: 'OTHER', playbook: 'for-all', slot: 'mail', optional: true, chosen_by: 'only' }])
  const named = await kept({ slots: ['for-all.mail'] })
  expect(await uses(named)).toMatchObject([{ playbook: 'for-all', chosen_by: 'slot', without: { connection: mine['id'], why_none: null } }])
  expect(await refusalOf(request(admin, 'GET', '/platformapi/connections/00000000-0000-4000-8000-000000000000/uses'))).toMatchObject({
    code: 'connection_unknown',
  })
})

test('a key of one organization sees the uses of its own organizations only', async () => {
  const shared = await kept({ organization_code: null })
  await activate('for-all', '', null)
  const analyst = await newKey(['connections:read', 'playbooks:read'], ['ACME'])
  expect((await uses(shared, analyst)).map(({ organization_code }) => organization_code)).toEqual(['ACME'])
})

test('no run has begun, so no run uses the connection', async () => {
  expect(await request(admin, 'GET', `${at(await kept())}/runs`)).toEqual({ items: [], next_cursor: null })
})

test('a key that may read connections only learns of no playbook and no run', async () => {
  const connection = await kept()
  const missing = (scope: string) => ({ code: 'permission_missing', detail: expect.stringContaining(scope) })
  expect(await refusalOf(request(reader, 'GET', `${at(connection)}/uses`))).toMatchObject(missing('playbooks:read'))
  expect(await refusalOf(request(reader, 'GET', `${at(connection)}/runs`))).toMatchObject(missing('runs:read'))
})

test('a check says which fields a pasted file fills, what is missing, and what is wrong, without any secret', async () => {
  const check = (body: object): Promise<Answer> => request(acme, 'POST', '/platformapi/integrations/impatient/check', body)
  const url = simulator.url
  const whole = await check({ paste: `url=${url.replace(':', '\\:')}\ntoken=s3cret-token\n` })
  expect(whole).toEqual({
    ok: true,
    fields: [
      { name: 'base_url', source: 'paste', value: url, problem: null },
      { name: 'api_token', source: 'paste', value: null, problem: null },
    ],
    problems: [],
  })
  const half = await check({ paste: 'token="s3cret-token"' })
  expect(half).toMatchObject({
    ok: false,
    fields: [{ source: null, problem: expect.stringContaining('missing') }, { problem: expect.stringContaining('quotes') }],
  })
  expect(JSON.stringify([whole, half])).not.toContain('s3cret')
  expect(await check({ paste: 'no equals sign here' })).toMatchObject({ ok: false, problems: [{ field: 'paste', line: 1 }] })
  expect(await check({ credentials: { base_url: url, api_tokn: 'x' } })).toMatchObject({ ok: false, problems: [{ field: 'credentials.api_tokn' }] })
  expect(await check({ credentials: { base_url: url }, role: 'emperor' })).toMatchObject({ ok: false, problems: [{ field: 'role' }] })
  expect(await refusalOf(request(reader, 'POST', '/platformapi/integrations/impatient/check', {}))).toMatchObject({ code: 'permission_missing' })
})

test('a check of a change keeps secrets, and asks for them again when the address changes', async () => {
  const connection = await kept()
  const check = (credentials: object): Promise<Answer> =>
    request(acme, 'POST', '/platformapi/integrations/mailsec/check', { connection: connection['id'], credentials })
  expect(await check({})).toMatchObject({
    ok: true,
    fields: expect.arrayContaining([{ name: 'api_token', source: 'kept', value: null, problem: null }]),
  })
  const moved = await check({ base_url: 'https://elsewhere.example' })
  expect(moved).toMatchObject({
    ok: false,
    fields: expect.arrayContaining([expect.objectContaining({ name: 'api_token', problem: expect.stringContaining('given again') })]),
  })
  const foreign = await kept({ organization_code: 'OTHER' })
  expect(await refusalOf(request(acme, 'POST', '/platformapi/integrations/mailsec/check', { connection: foreign['id'] }))).toMatchObject({
    code: 'connection_unknown',
  })
})

test('an expiry less than 14 days ahead is soon', async () => {
  const day = 86_400_000
  const at = (days: number): Promise<Answer> => kept({ expires_at: Date.now() + days * day })
  expect(await at(13)).toMatchObject({ expired: false, expires_soon: true, created_by_name: expect.any(String) })
  expect(await at(15)).toMatchObject({ expired: false, expires_soon: false })
  expect(await at(-1)).toMatchObject({ expired: true, expires_soon: false })
})
