import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, Refused, request } from '../../../runtime/cli/client.ts'
import { decideUntilEnded } from '../../support/api/decisions.ts'
import { type MfaSystem, startMfaSystem } from '../../support/mfa-system.ts'

/* What people do with the text of a playbook before they activate it: a real Tocsin with the shipped plugins, and a simulated MFA provider. */

interface FoundEdits {
  readonly fix?: { readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[] }
}

let mfa: MfaSystem
let alert: string
let run: string

const root = join(import.meta.dirname, '../../..')
const fatigue = readFileSync(join(root, 'playbooks/mfa-fatigue.yaml'), 'utf8')
const fatigueTests = readFileSync(join(root, 'playbooks/mfa-fatigue.test.yaml'), 'utf8')

beforeAll(async () => {
  mfa = await startMfaSystem('IDP')
  const sample = JSON.parse(readFileSync(join(root, 'test/demo/story/alerts/4-mfa-fatigue.json'), 'utf8')) as { readonly content: object }
  const body = { alert_content: JSON.stringify(sample.content), alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'mfa_fatigue' }
  const posted = await request(mfa.admin, 'POST', '/platformapi/alerts', body)
  alert = String(posted['alert_id'])
  const ended = await decideUntilEnded(mfa.admin, posted['alert_id'], 'approve')
  run = `${ended.alert['alert_uuid']}-r1`
})
afterAll(() => mfa?.stop())

const post = (path: string, body: object): Promise<Answer> => request(mfa.admin, 'POST', `/platformapi${path}`, body)
const get = (path: string): Promise<Answer> => request(mfa.admin, 'GET', `/platformapi${path}`)
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof Refused ? { status: error.status, ...error.problem } : error),
  )

/** A playbook that looks a user up and suspends them, without any approval. */
const blunt = (type: string): string => `format: 1
playbook: blunt
alert_type: ${type}
inputs:
  user: { type: string, from: [content.user.email, content.user.username, content.user], required: true }
connections:
  idp: { integration: mfa }
limits: { impact: { high: 1, write: 1, targets: 1 } }
steps:
  - id: state
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
  - id: suspend
    if: { '==': [{ var: steps.state.output.status }, ACTIVE] }
    skill: mfa.suspend_mfa_user
    with: { username: '{{ inputs.user }}' }
`

test('the tests of a text run, and a failed one says where and what differs', async () => {
  const passed = await post('/playbooks/test', { text: fatigue, tests: [{ file: 'mine.test.yaml', text: fatigueTests }] })
  expect(passed).toMatchObject({ failed: 0, files: [{ file: 'mine.test.yaml', error: null, playbook: 'mfa-fatigue' }] })
  expect(passed['passed']).toBeGreaterThan(3)

  const wrong = `format: 1
playbook: blunt
tests:
  - name: suspends nobody
    alert: { content: { user: ada } }
    answers: { mfa.get_mfa_user_details: { output: { status: ACTIVE } }, mfa.suspend_mfa_user: { recorded: suspend-ok } }
    expect: { outcome: completed, not_called: [mfa.suspend_mfa_user] }
`
  expect(
    await post('/playbooks/test', { text: blunt('x'), tests: [{ text: wrong }, { text: 'format: 1\nplaybook: other\ntests: []\n' }] }),
  ).toMatchObject({
    passed: 0,
    failed: 2,
    files: [
      {
        file: 'tests.0',
        results: [{ name: 'suspends nobody', passed: false, problems: [{ line: 7, message: expect.stringContaining('suspend') }] }],
      },
      { file: 'tests.1', error: { code: 'playbook_test_invalid', errors: [{ line: expect.any(Number) }] } },
    ],
  })
})

test('a text with mistakes is refused with their places', async () => {
  const broken = { text: blunt('x').replace('skill:', 'skil:') }
  const invalid = { status: 400, code: 'playbook_invalid', errors: [expect.objectContaining({ line: 11 })] }
  expect(await refusal(post('/playbooks/test', { ...broken, tests: [{ text: fatigueTests }] }))).toMatchObject(invalid)
  expect(await refusal(post('/playbooks/dry-run', { ...broken, alert: { alert_content: '{}' } }))).toMatchObject(invalid)
  expect(await refusal(post('/playbooks/replay', { text: broken.text.replace(': x', ': mfa_fatigue') }))).toMatchObject(invalid)
  expect(await refusal(post('/playbooks/replay', { text: 'alert_type: [mfa_fatigue' }))).toMatchObject({ status: 400, code: 'yaml_invalid' })
  // The store would keep another character for half of a surrogate pair, and so another text than was checked.
  const torn = { text: `${blunt('x')}# \ud800` }
  for (const [path, body] of [
    ['/playbooks', { playbooks: [torn] }],
    ['/playbooks/lint', torn],
    ['/playbooks/graph', torn],
    ['/playbooks/replay', torn],
  ] as const)
    expect(await refusal(post(path, body))).toMatchObject({ status: 400, code: 'body_invalid' })
})

test('a dry run shows the calls with their inputs, and sends reads only if it may; it never writes', async () => {
  const before = { ...mfa.simulator.counts }
  const dry = await post('/playbooks/dry-run', {
    text: blunt('mfa_fatigue'),
    alert_id: alert,
    answers: 'mfa.get_mfa_user_details: { output: { status: ACTIVE } }',
  })
  expect(dry).toMatchObject({
    outcome: 'completed',
    total_calls: 2,
    calls: [
      { skill: 'mfa.get_mfa_user_details', answer: 'given', input: { value: { username: 'alan.turing@acme.example' } } },
      { skill: 'mfa.suspend_mfa_user', impact: expect.stringMatching(/write|high/), answer: 'generated' },
    ],
    ways: [{ step: 'suspend', way: 'if holds' }],
  })
  expect(mfa.simulator.counts).toEqual(before)

  // The run has suspended the user, so a read of the real system takes the other branch.
  const live = await post('/playbooks/dry-run', { text: blunt('mfa_fatigue'), alert_id: alert, reads: true })
  expect(live).toMatchObject({ calls: [{ answer: 'read' }], ways: [{ step: 'suspend', way: 'if does not hold' }] })
  expect(mfa.simulator.counts.writes).toBe(before.writes)
})

test('a replay shows which writes of recorded runs would appear, vanish or change', async () => {
  const { items } = await post('/playbooks/replay', { text: blunt('mfa_fatigue') })
  // The run has suspended the user, and so does the blunt text, at a step of another name: the writes are the same.
  expect(items).toMatchObject([{ run_id: run, organization_code: 'ACME', outcome_before: 'completed', outcome_after: 'completed', added: [] }])
  const milder = blunt('mfa_fatigue').replace('skill: mfa.suspend_mfa_user', 'skill: mfa.get_mfa_user_details')
  expect(await post('/playbooks/replay', { text: milder })).toMatchObject({
    items: [{ removed: [{ skill: 'mfa.suspend_mfa_user' }] }],
    next_cursor: null,
  })
  expect(await post('/playbooks/replay', { text: blunt('nothing_like_it') })).toEqual({ items: [], next_cursor: null })
  expect(await refusal(post('/playbooks/replay', { text: 'format: 1\n  oops' }))).toMatchObject({ status: 400, code: 'playbook_invalid' })
})

test('a run becomes a test that passes', async () => {
  const made = await post(`/runs/${run}/test`, {})
  expect(made).toMatchObject({ playbook: 'mfa-fatigue', text: expect.stringContaining('playbook: mfa-fatigue') })
  expect(await post('/playbooks/test', { text: fatigue, tests: [{ text: made['text'] }] })).toMatchObject({ passed: 1, failed: 0 })
})

test('a first playbook is generated for an alert, and has no mistakes', async () => {
  const { text, alert_type } = await post('/playbooks/generate', { alert_id: alert })
  expect(alert_type).toBe('mfa_fatigue')
  expect(text).not.toContain('alan.turing')
  const { findings, playbook } = await post('/playbooks/lint', { text })
  expect((findings as readonly { severity: string }[]).filter(({ severity }) => severity === 'error')).toEqual([])
  expect(playbook).toMatchObject({ kind: 'playbook', alert_types: ['mfa_fatigue'], impact: { high: 0, write: 0 } })
})

test('lint answers what a text needs and can do, and fixes as edits of the text', async () => {
  const { playbook } = await post('/playbooks/lint', { text: blunt('x') })
  expect(playbook).toMatchObject({ name: 'blunt', slots: [{ slot: 'idp', integration: 'mfa', optional: false }], impact: { skills: [{}, {}] } })
  const text = blunt('x').replace('mfa.get_mfa_user_details', 'mfa.get_mfa_user_detail')
  const { findings, playbook: none } = await post('/playbooks/lint', { text })
  expect(none).toBeNull()
  const [edit] = (findings as readonly FoundEdits[]).flatMap(({ fix }) => fix?.edits ?? [])
  if (!edit) throw new Error('there is no fix')
  expect(text.slice(0, edit.start) + edit.text + text.slice(edit.end)).toBe(blunt('x'))
})

test('the organizations that use a playbook are listed with the connection of each slot', async () => {
  await request(mfa.admin, 'POST', '/platformapi/organizations', { code: 'GLOBEX', name: 'Globex' })
  await post('/playbooks', { playbooks: [{ text: blunt('bound') }] })
  await post('/playbooks', { playbooks: [{ text: blunt('bound').replace('playbook: blunt', 'playbook: own') }], organization_code: 'ACME' })
  const { items } = await get('/playbooks/bound/organizations')
  expect(items).toMatchObject([
    { organization_code: 'ACME', uses: 'own', slots: [{ slot: 'idp', instance: 'mfa', why: null }] },
    { organization_code: 'GLOBEX', uses: 'this', slots: [{ slot: 'idp', instance: null, why: expect.stringContaining('mfa') }] },
  ])
  const first = await get('/playbooks/bound/organizations?limit=1')
  expect(first['items']).toHaveLength(1)
  expect((await get(`/playbooks/bound/organizations?limit=1&cursor=${first['next_cursor']}`))['items']).toMatchObject([
    { organization_code: 'GLOBEX' },
  ])
})

test('the templates are the shipped playbooks with their tests, and the language has skills, filters and operators', async () => {
  const { items } = await get('/playbook-templates')
  expect(items).toContainEqual(
    expect.objectContaining({ name: 'mfa-fatigue', alert_types: expect.arrayContaining(['mfa_fatigue']), tests: expect.stringContaining('tests:') }),
  )
  const language = await get('/playbook-language')
  expect(JSON.stringify(language['schema'])).toContain('mfa.suspend_mfa_user')
  expect(language).toMatchObject({
    filters: expect.arrayContaining([expect.objectContaining({ name: 'upcase', text: expect.any(String) })]),
    operators: expect.arrayContaining([expect.objectContaining({ name: 'and' })]),
  })
})

test('each needs the scopes of what it reads', async () => {
  const key = async (...scopes: string[]): Promise<string> => {
    const made = await request(mfa.admin, 'POST', '/platformapi/keys', { name: scopes.join(' ') || 'none', scopes })
    return String(made['key'])
  }
  const writer = { url: mfa.admin.url, key: await key('playbooks:read') }
  const as = (path: string, body: object) => refusal(request(writer, 'POST', `/platformapi${path}`, body))
  const missing = (scope: string) => ({ status: 403, code: 'permission_missing', detail: expect.stringContaining(scope) })
  expect(await as('/playbooks/dry-run', { text: fatigue, alert_id: alert })).toMatchObject(missing('alerts:read'))
  expect(await as('/playbooks/dry-run', { text: fatigue, alert: { alert_content: '{}' }, reads: true })).toMatchObject(missing('connections:read'))
  expect(await as('/playbooks/replay', { text: fatigue })).toMatchObject(missing('runs:read'))
  expect(await as('/playbooks/generate', { alert_id: alert })).toMatchObject(missing('alerts:read'))
  expect(await as('/playbooks/test', { text: fatigue, tests: [{ text: fatigueTests }] })).toBeNull()
})

test('a replay of one run refuses a run that the text is not for, or that the key may not see', async () => {
  const one = (more: object) => post('/playbooks/replay', { text: blunt('mfa_fatigue'), run_id: run, ...more })
  const milder = blunt('mfa_fatigue').replace('skill: mfa.suspend_mfa_user', 'skill: mfa.get_mfa_user_details')
  // No run has begun since. The filters of the list do not apply to the one run.
  expect(await one({ text: milder, since: 8_000_000_000_000, organization_code: 'ACME' })).toMatchObject({
    items: [{ run_id: run, removed: [{ skill: 'mfa.suspend_mfa_user' }] }],
    next_cursor: null,
  })
  await request(mfa.admin, 'POST', '/platformapi/organizations', { code: 'INITECH', name: 'Initech' })
  const wrong = (message: string) => ({ status: 400, code: 'body_invalid', errors: [{ field: 'run_id', message: expect.stringContaining(message) }] })
  expect(await refusal(one({ text: blunt('other') }))).toMatchObject(wrong('mfa_fatigue'))
  const noted = 'format: 1\nplaybook: noted\nsteps:\n  - id: note\n    case: { note: x }\n'
  expect(await refusal(one({ text: noted }))).toMatchObject(wrong('no type'))
  expect(await refusal(one({ organization_code: 'INITECH' }))).toMatchObject(wrong('another organization'))
  expect(await refusal(one({ run_id: `${run}0` }))).toMatchObject({ status: 404, code: 'run_unknown' })
  const made = await request(mfa.admin, 'POST', '/platformapi/keys', {
    name: 'of Initech',
    scopes: ['playbooks:read', 'runs:read'],
    organizations: ['INITECH'],
  })
  const elsewhere = { url: mfa.admin.url, key: String(made['key']) }
  const body = { text: blunt('mfa_fatigue'), run_id: run }
  expect(await refusal(request(elsewhere, 'POST', '/platformapi/playbooks/replay', body))).toMatchObject({ status: 404, code: 'run_unknown' })
})

test('a dry run refuses a second alert, and another organization than that of its alert', async () => {
  await request(mfa.admin, 'POST', '/platformapi/organizations', { code: 'UMBRELLA', name: 'Umbrella' })
  const dry = (more: object) => refusal(post('/playbooks/dry-run', { text: blunt('mfa_fatigue'), alert_id: alert, ...more }))
  const wrong = (field: string) => ({ status: 400, code: 'body_invalid', errors: [{ field }] })
  expect(await dry({ alert: { alert_content: '{}' } })).toMatchObject(wrong('alert'))
  expect(await dry({ organization_code: 'UMBRELLA', reads: true })).toMatchObject(wrong('organization_code'))
  expect(await dry({ organization_code: 'NOWHERE' })).toMatchObject({ status: 422, code: 'organization_unknown' })
  expect(await dry({ organization_code: 'ACME' })).toBeNull()
})
