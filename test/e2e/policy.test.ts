import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Answer, request } from '../../runtime/cli/client.ts'
import { explainFailure } from '../../runtime/cli/failure.ts'
import { buildProgram } from '../../runtime/cli/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { openPki } from '../simulators/pki.ts'
import { decideUntilEnded } from '../support/decisions.ts'
import { type Installation, newInstallation } from '../support/installation.ts'
import { OnePlaybook } from '../support/one-playbook.ts'

/** The policies of organizations, from the command line to what reaches the MFA provider. */
const client = { orgAlias: 'acme-alias', token: 'token', key: Buffer.alloc(32, 'k').toString('base64') }
const user = 'alan.turing@acme.example'
const playbook = `format: 1
playbook: let-in
alert_type: let_in
inputs: { user: { type: string, from: [content.user], required: true } }
connections: { idp: { integration: mfa } }
steps:
  - id: bypass
    skill: mfa.toggle_mfa_user_bypass
    with: { username: '{{ inputs.user }}', bypass: enabled, until: 2000000000000 }
  - id: told
    case: { note: 'Let in' }
`
const policies: Readonly<Record<string, string>> = {
  CAREFUL: 'format: 1\n',
  QUIET: 'format: 1\napprovals: { high: none }\n',
  STRICT: 'format: 1\napprovals: { high: none }\nlimits: { impact: { high: 0 } }\n',
}
let installation: Installation
let simulator: MfaSimulator
let tocsin: OnePlaybook

beforeAll(async () => {
  installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  simulator = await startMfaSimulator({ pki: openPki(pki), ...client, strict: true })
  tocsin = await OnePlaybook.start(installation, pki, 'let_in', playbook)
  const credentials = { idp_url: simulator.idpUrl, org_alias: client.orgAlias, token: client.token, use_base64_key: client.key }
  for (const code of ['UNSAID', ...Object.keys(policies)]) {
    await request(tocsin.admin, 'POST', '/platformapi/organizations', { code, name: code })
    await request(tocsin.admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: code, credentials })
  }
  for (const [code, text] of Object.entries(policies)) {
    const file = join(installation.directory, `${code}.yaml`)
    writeFileSync(file, text)
    expect(await organization('policy', 'set', code, file, '--revision', '0')).toMatchObject({ code: 0 })
  }
}, 60_000)
beforeEach(() => simulator.reset())
afterAll(async () => {
  await tocsin?.stop()
  await simulator?.close()
  await installation?.remove()
})

/** `tocsin organization …`: what it prints, and whether it failed. */
async function organization(...words: string[]): Promise<{ readonly out: string; readonly code: number }> {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  try {
    await buildProgram().parseAsync(['organization', ...words, '--url', tocsin.admin.url, '--key', tocsin.admin.key], { from: 'user' })
    return { out: lines.join('\n'), code: 0 }
  } catch (error) {
    return { out: explainFailure(error), code: 1 }
  } finally {
    log.mockRestore()
  }
}

const post = (organizationCode: string): Promise<Answer> => {
  const body = { alert_content: JSON.stringify({ user }), alert_provider: 'P', organization_code: organizationCode, alert_type: 'let_in' }
  return request(tocsin.admin, 'POST', '/platformapi/alerts', body)
}
const bypassUntil = (): unknown => simulator.user(user)?.bypassUntil ?? null
const runOf = (alert: Answer): Answer => (alert['runs'] as readonly Answer[])[0] ?? {}

test.each(['UNSAID', 'CAREFUL'])('a high-impact call that nothing covers is asked about in %s, and sent when it was approved', async (code) => {
  const { alert_id } = await post(code)
  const { alert, decisions } = await decideUntilEnded(tocsin.admin, alert_id)
  expect(decisions).toMatchObject([
    { kind: 'approval', step: 'bypass', by: ['approver'], actions: [{ skill: 'mfa.toggle_mfa_user_bypass', target: user, connection: 'mfa' }] },
  ])
  expect(runOf(alert)).toMatchObject({ state: 'completed' })
  expect(bypassUntil()).toBe(2_000_000_000_000)
})

test('declined, nothing is sent, and the run fails with the code of approvals', async () => {
  const { alert_id } = await post('CAREFUL')
  const { alert } = await decideUntilEnded(tocsin.admin, alert_id, 'decline')
  expect(runOf(alert)).toMatchObject({ state: 'failed', failure: { code: 'approval_declined', step: 'bypass' } })
  expect(bypassUntil()).toBeNull()
})

test('an organization whose policy asks about none is not asked', async () => {
  const { alert_id } = await post('QUIET')
  const { alert, decisions } = await decideUntilEnded(tocsin.admin, alert_id)
  expect(decisions).toEqual([])
  expect(runOf(alert)).toMatchObject({ state: 'completed' })
  expect(bypassUntil()).toBe(2_000_000_000_000)
})

test('the limits of a policy end the run before it goes beyond them', async () => {
  const { alert_id } = await post('STRICT')
  const { alert } = await decideUntilEnded(tocsin.admin, alert_id)
  expect(runOf(alert)).toMatchObject({
    state: 'failed',
    failure: { code: 'impact_exceeded', step: 'bypass', message: expect.stringContaining("limits.impact.high of the organization's policy is 0") },
  })
  expect(bypassUntil()).toBeNull()
})

test("an organization's own playbook that may do more than its policy allows is refused; of a shared one it is said", async () => {
  const activate = (more: object): Promise<Answer> =>
    request(tocsin.admin, 'POST', '/platformapi/playbooks', { playbooks: [{ text: playbook, file: 'let-in.yaml' }], ...more })
  const refused = await activate({ organization_code: 'STRICT' }).catch((error) => error.problem)
  expect(refused).toMatchObject({
    status: 409,
    code: 'policy_exceeded',
    errors: [{ field: 'limits.impact.high', file: 'let-in.yaml', message: "a run may come to 1, and the organization's policy allows 0" }],
  })
  expect((await activate({ organization_code: 'QUIET', check: true }))['playbooks']).toMatchObject([{ over_policy: [] }])
  expect((await activate({ check: true }))['playbooks']).toMatchObject([
    { over_policy: [{ organization_code: 'STRICT', exceeded: [{ name: 'high', most: 1, limit: 0 }] }] },
  ])
})

test('an organization with a playbook of its own is not told of the shared one, unless that is run for another type', async () => {
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

test('the command line shows what holds, and refuses what is wrong with its place', async () => {
  expect((await organization('policy', 'show', 'UNSAID')).out).toContain('UNSAID: no policy was set; this is the default')
  expect((await organization('policy', 'show', 'STRICT')).out).toMatch(
    /policy of revision 1\nhigh-impact calls that no approve step covers: none\n.*\nat most a run: high 0, /,
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
