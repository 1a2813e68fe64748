import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { type MfaSimulator, startMfaSimulator } from '../../simulators/mfa/index.ts'
import { openPki } from '../../simulators/pki.ts'
import { decideUntilEnded } from '../../support/api/decisions.ts'
import { mfaClient, mfaCredentials } from '../../support/mfa-system.ts'
import { OnePlaybook } from '../../support/one-playbook.ts'
import { tocsin as cli } from '../../support/processes/in-process.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

/* Tests policies of organizations, from the command line to the requests that reach the simulated MFA provider. */

const user = 'alan.turing@acme.example'
/** When the bypass ends. The processes use the real time. */
const end = Date.now() + 86_400_000
const playbook = `format: 1
playbook: let-in
alert_type: let_in
inputs: { user: { type: string, from: [content.user], required: true } }
connections: { idp: { integration: mfa } }
steps:
  - id: bypass
    skill: mfa.toggle_mfa_user_bypass
    with: { username: '{{ inputs.user }}', bypass: enabled, until: ${end} }
  - id: told
    case: { note: 'Let in' }
`
const policies: Readonly<Record<string, string>> = {
  CAREFUL: 'format: 1\n',
  QUIET: 'format: 1\napprovals: { high: none }\n',
  STRICT: 'format: 1\napprovals: { high: none }\nlimits: { impact: { high: 0 } }\n',
  BUSY: 'format: 1\napprovals: { high: none }\nlimits: { quotas: { skills: { mfa.toggle_mfa_user_bypass: { calls: 1, per: 1d } } } }\n',
  SHORT: 'format: 1\nlimits: { spans: { mfa.toggle_mfa_user_bypass: 1h } }\n',
  GUARDED: `format: 1\napprovals: { high: none }\nprotected: [{ names: ['ALAN.turing@acme.example'], reason: Break glass }]\n`,
}
let installation: Installation
let simulator: MfaSimulator
let tocsin: OnePlaybook

beforeAll(async () => {
  installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  simulator = await startMfaSimulator({ pki: openPki(pki), ...mfaClient, strict: true })
  tocsin = await OnePlaybook.start(installation, pki, 'let_in', playbook)
  const credentials = mfaCredentials(simulator)
  for (const code of ['UNSAID', ...Object.keys(policies)]) {
    await request(tocsin.admin, 'POST', '/platformapi/organizations', { code, name: code })
    await request(tocsin.admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: code, credentials })
  }
  for (const [code, text] of Object.entries(policies)) {
    const file = join(installation.directory, `${code}.yaml`)
    writeFileSync(file, text)
    expect(await organization('policy', 'set', code, file, '--revision', '0')).toMatchObject({ code: 0 })
  }
})
beforeEach(() => simulator.reset())
afterAll(async () => {
  await tocsin?.stop()
  await simulator?.close()
  await installation?.remove()
})

/** Runs `tocsin organization …`. */
const organization = (...words: string[]): ReturnType<typeof command> => command('organization', ...words)

/** Runs a command. Returns what it prints, and its exit code. */
async function command(...words: string[]): Promise<{ readonly out: string; readonly code: number }> {
  const { out, err, code } = await cli([...words, '--url', tocsin.admin.url, '--key', tocsin.admin.key])
  return { out: (out || err).trimEnd(), code }
}

const post = (organizationCode: string): Promise<Answer> => {
  const body = { alert_content: JSON.stringify({ user }), alert_provider: 'P', organization_code: organizationCode, alert_type: 'let_in' }
  return request(tocsin.admin, 'POST', '/platformapi/alerts', body)
}
const bypassUntil = (): unknown => simulator.user(user)?.bypassUntil ?? null
const runOf = (alert: Answer): Answer => (alert['runs'] as readonly Answer[])[0] ?? {}

test.each(['UNSAID', 'CAREFUL'])('a high-impact call without an approve step asks for approval in %s, and is sent once approved', async (code) => {
  const { alert_id } = await post(code)
  const { alert, decisions } = await decideUntilEnded(tocsin.admin, alert_id)
  expect(decisions).toMatchObject([
    {
      kind: 'approval',
      step: 'bypass',
      by: ['approver'],
      actions: [{ skill: 'mfa.toggle_mfa_user_bypass', about: { impact: 'high' }, target: user, connection: 'mfa' }],
    },
  ])
  expect(runOf(alert)).toMatchObject({ state: 'completed' })
  expect(bypassUntil()).toBe(end)
})

test('after a decline, nothing is sent, and the run fails with approval_declined', async () => {
  const { alert_id } = await post('CAREFUL')
  const { alert } = await decideUntilEnded(tocsin.admin, alert_id, 'decline')
  expect(runOf(alert)).toMatchObject({ state: 'failed', failure: { code: 'approval_declined', step: 'bypass' } })
  expect(bypassUntil()).toBeNull()
})

test('a policy that asks for no approvals lets the call through', async () => {
  const { alert_id } = await post('QUIET')
  const { alert, decisions } = await decideUntilEnded(tocsin.admin, alert_id)
  expect(decisions).toEqual([])
  expect(runOf(alert)).toMatchObject({ state: 'completed' })
  expect(bypassUntil()).toBe(end)
})

test('a run ends before it exceeds the limits of the policy', async () => {
  const { alert_id } = await post('STRICT')
  const { alert } = await decideUntilEnded(tocsin.admin, alert_id)
  expect(runOf(alert)).toMatchObject({
    state: 'failed',
    failure: { code: 'impact_exceeded', step: 'bypass', message: expect.stringContaining("limits.impact.high of the organization's policy is 0") },
  })
  expect(bypassUntil()).toBeNull()
})

test('people are asked about each call over a full quota; one command shows its usage, and another answers all that wait', async () => {
  const first = await decideUntilEnded(tocsin.admin, (await post('BUSY'))['alert_id'])
  expect(first.decisions).toEqual([])
  expect(bypassUntil()).toBe(end)
  await simulator.reset()
  for (let more = 0; more < 3; more += 1) await post('BUSY')
  const open = await until(async () => {
    const { items } = await request(tocsin.admin, 'GET', '/platformapi/decisions?state=open&kind=quota&organization=BUSY')
    return (items as Answer[]).length === 3 ? (items as Answer[]) : null
  })
  const id = String(open[0]?.['id'])
  expect(open[0]).toMatchObject({
    quota: { skill: 'mfa.toggle_mfa_user_bypass', waiting: 3 },
    title: expect.stringMatching(/on alan\.turing@acme\.example over its quota\? The organization's quota of 1 call in 1d is full: 1 since 20/),
  })
  expect(bypassUntil()).toBeNull()
  expect((await organization('policy', 'usage', 'BUSY')).out).toMatch(/mfa\.toggle_mfa_user_bypass +\[#{20}\] .*1 of 1 in 1d.* since 20.*, 3 waiting/)
  expect((await command('decision', 'list', '--kind', 'quota')).out).toContain(id)
  expect((await command('decision', 'show', id)).out).toMatch(/2 more wait for this quota\. .*tocsin decision answer .* --same-quota/)
  const answered = await command('decision', 'answer', id, 'decline', '--same-quota', '--reason', 'A wrong rule')
  expect(answered).toEqual({ code: 0, out: 'mfa.toggle_mfa_user_bypass: 3 declined' })
  const cases = open.map(({ case_id }) => case_id)
  await until(async () => {
    const runs = await request(tocsin.admin, 'GET', '/platformapi/runs?organization=BUSY&limit=10')
    const ended = (runs['items'] as Answer[]).filter(({ case_id, state }) => cases.includes(case_id) && state === 'failed')
    return ended.length === 3 || null
  })
  const { timeline } = await request(tocsin.admin, 'GET', `/platformapi/cases/${cases[0]}`)
  expect(timeline).toContainEqual(expect.objectContaining({ kind: 'decision', state: 'declined', by: ['admin'], text: 'A wrong rule' }))
  expect(timeline).toContainEqual(expect.objectContaining({ kind: 'failure', code: 'quota_declined' }))
  expect(bypassUntil()).toBeNull()
})

test('a manual call is refused if its end time has passed or is too far ahead', async () => {
  const runByHand = async (until: number): Promise<unknown> => {
    const input = JSON.stringify({ username: user, bypass: 'enabled', until })
    const words = ['--connection', 'mfa', '--organization', 'SHORT', '--input', input, '--yes']
    return JSON.parse((await command('skill', 'run', 'mfa.toggle_mfa_user_bypass', ...words)).out)
  }
  expect(await runByHand(1_700_000_000_000)).toMatchObject({ ok: false, effect: 'not_sent', code: 'end_past' })
  expect(await runByHand(end)).toMatchObject({
    ok: false,
    effect: 'not_sent',
    code: 'span_too_long',
    message: expect.stringContaining('allows at most 1h'),
  })
  expect(bypassUntil()).toBeNull()
  expect((await organization('policy', 'show', 'SHORT')).out).toContain('longest duration of mfa.toggle_mfa_user_bypass: 1h')
  expect(await runByHand(Date.now() + 600_000)).toMatchObject({ ok: true })
})

test('manual calls count towards the quota, and are refused if it is full or the target is protected', async () => {
  const input = JSON.stringify({ username: user, bypass: 'enabled', until: end })
  const runByHand = async (code: string): Promise<unknown> => {
    const { out } = await command(
      'skill',
      'run',
      'mfa.toggle_mfa_user_bypass',
      '--connection',
      'mfa',
      '--organization',
      code,
      '--input',
      input,
      '--yes',
    )
    return JSON.parse(out)
  }
  const usedBy = async (code: string): Promise<unknown> => {
    const { quotas } = await request(tocsin.admin, 'GET', `/platformapi/organizations/${code}/policy/usage`)
    return (quotas as Answer[]).find(({ skill }) => skill === 'mfa.toggle_mfa_user_bypass')?.['used']
  }
  expect(await runByHand('BUSY')).toMatchObject({
    ok: false,
    effect: 'not_sent',
    code: 'quota_full',
    message: expect.stringContaining('The quota of mfa.toggle_mfa_user_bypass of 1 call in 1d is full: 1 since '),
    remedy: expect.stringContaining('tocsin organization policy usage'),
  })
  expect(await runByHand('GUARDED')).toMatchObject({
    ok: false,
    effect: 'not_sent',
    code: 'entity_protected',
    message: expect.stringContaining('Break glass'),
  })
  expect(bypassUntil()).toBeNull()
  expect(await usedBy('GUARDED')).toBe(0)
  const before = Number(await usedBy('QUIET'))
  expect(await runByHand('QUIET')).toMatchObject({ ok: true })
  expect(await usedBy('QUIET')).toBe(before + 1)
})

test('a write to a protected entity is skipped, the case says so, and the run goes on', async () => {
  const { alert } = await decideUntilEnded(tocsin.admin, (await post('GUARDED'))['alert_id'])
  expect(runOf(alert)).toMatchObject({ state: 'completed' })
  expect(bypassUntil()).toBeNull()
  const { timeline } = await request(tocsin.admin, 'GET', `/platformapi/cases/${alert['case_id']}`)
  expect(timeline).toContainEqual(
    expect.objectContaining({ kind: 'protected', skill: 'mfa.toggle_mfa_user_bypass', connection: 'mfa', target: user, text: 'Break glass' }),
  )
  expect(timeline).toContainEqual(expect.objectContaining({ kind: 'note', text: 'Let in' }))
  expect((await command('run', 'show', `${alert['alert_uuid']}-r1`)).out).toMatch(
    /bypass +mfa\.toggle_mfa_user_bypass +.*skipped.*: alan\.turing@acme\.example is protected \(Break glass\)/,
  )
  expect((await command('case', 'show', String(alert['case_id']))).out).toMatch(
    /protected .*alan\.turing@acme\.example.* from mfa\.toggle_mfa_user_bypass via mfa: Break glass/,
  )
  expect((await organization('policy', 'show', 'GUARDED')).out).toMatch(/protected:\n {2}ALAN\.turing@acme\.example from everything: Break glass/)
})

test("an organization's own playbook that may exceed its policy is refused; a shared one is only reported", async () => {
  const activate = (more: object): Promise<Answer> =>
    request(tocsin.admin, 'POST', '/platformapi/playbooks', { playbooks: [{ text: playbook, file: 'let-in.yaml' }], ...more })
  const refused = await activate({ organization_code: 'STRICT' }).catch((error) => error.problem)
  expect(refused).toMatchObject({
    status: 409,
    code: 'policy_exceeded',
    errors: [{ field: 'limits.impact.high', file: 'let-in.yaml', message: "a run may reach 1, but the organization's policy allows 0" }],
  })
  expect((await activate({ organization_code: 'QUIET', check: true }))['playbooks']).toMatchObject([{ over_policy: [] }])
  expect((await activate({ check: true }))['playbooks']).toMatchObject([
    { over_policy: [{ organization_code: 'STRICT', exceeded: [{ name: 'high', most: 1, limit: 0 }] }] },
  ])
})

test('an organization with its own playbook is not reported, unless the shared one also runs for another type', async () => {
  const own = `format: 1\nplaybook: keep-out\nalert_type: let_in\nsteps: [{ id: told, case: { note: Kept out } }]\n`
  const activate = async (text: string, more: object): Promise<readonly Answer[]> => {
    const answer = await request(tocsin.admin, 'POST', '/platformapi/playbooks', { playbooks: [{ text, file: 'let-in.yaml' }], ...more })
    return answer['playbooks'] as readonly Answer[]
  }
  const strict = [{ over_policy: [{ organization_code: 'STRICT' }] }]
  expect(await activate(playbook, { check: true })).toMatchObject(strict)
  await activate(own, { organization_code: 'STRICT' })
  expect(await activate(playbook, { check: true })).toMatchObject([{ over_policy: [] }])
  expect(await activate(playbook.replace('let_in', '[let_in, let_out]'), { check: true })).toMatchObject(strict)
  await request(tocsin.admin, 'DELETE', '/platformapi/playbooks/let_in?organization=STRICT')
  expect(await activate(playbook, { check: true })).toMatchObject(strict)
})

test('the command line shows the policy, and refuses an invalid one with the place of the mistake', async () => {
  expect((await organization('policy', 'show', 'UNSAID')).out).toContain('UNSAID: no policy set; these are the defaults')
  expect((await organization('policy', 'show', 'STRICT')).out).toMatch(
    /policy revision 1\nhigh-impact calls without an approve step: none\n.*\nlimits of a run: high 0, /,
  )
  const file = join(installation.directory, 'wrong.yaml')
  writeFileSync(file, 'format: 1\napprovals:\n  skills:\n    mfa.toggle_mfa_user_bypas: ask\n')
  const wrong = await organization('policy', 'set', 'CAREFUL', file)
  expect(wrong).toMatchObject({ code: 1, out: expect.stringMatching(/wrong\.yaml:4:5.*mfa\.toggle_mfa_user_bypass/s) })
  expect(await organization('policy', 'set', 'CAREFUL', join(installation.directory, 'QUIET.yaml'), '--revision', '7')).toMatchObject({
    code: 1,
    out: expect.stringContaining('policy_changed'),
  })
})
