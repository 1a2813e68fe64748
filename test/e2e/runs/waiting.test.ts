import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { buildProgram } from '../../../runtime/cli/index.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../../simulators/mfa/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { openDecisions } from '../../support/api/decisions.ts'
import { mfaClient, mfaCredentials } from '../../support/mfa-system.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { Person } from '../../support/processes/person.ts'
import { browserAtHand, Windows } from '../../support/processes/windows.ts'
import { until } from '../../support/until.ts'

const browser = browserAtHand('a run that waits for people')
const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
const user = 'alan.turing@acme.example'
const playbook = `
format: 1
playbook: ask-first
alert_type: ask_first
inputs: { user: { type: string, from: [content.user], required: true } }
case: { title: 'Ask: {{ inputs.user }}', severity: high, join: { key: 'ask:{{ inputs.user }}', within: 1h } }
steps:
  - id: ask
    approve: { title: 'Suspend {{ inputs.user }}?', by: [approver], expires: 4h, covers: suspend }
  - id: suspend
    skill: mfa.suspend_mfa_user
    with: { username: '{{ inputs.user }}' }
verdict: { summary: 'Approved by {{ steps.ask.output.by | join: ", " }}' }
`

describe.each(backendsAtHand('a run that waits for people'))('a run that waits for people, on %s', (backends) => {
  let installation: Installation
  let simulator: MfaSimulator
  let running: Running
  let admin: Target

  async function open(): Promise<void> {
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(pki()),
      TOCSIN_PLUGINS: shippedPlugin('mfa'),
      TOCSIN_PLAYBOOKS: playbooks(),
    }
    const config = readConfig(environment, { port: '0' })
    running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
  }
  const pki = (): string => join(installation.directory, 'pki')
  const playbooks = (): string => join(installation.directory, 'playbooks')

  beforeAll(async () => {
    installation = newInstallation(backends)
    mkdirSync(playbooks())
    writeFileSync(join(playbooks(), 'ask-first.yaml'), playbook)
    simulator = await startMfaSimulator({ pki: openPki(pki()), ...mfaClient, strict: true })
    await open()
    await request(admin, 'POST', '/platformapi/providers', { code: 'IDP', name: 'Identity provider' })
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    const credentials = mfaCredentials(simulator)
    await request(admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: 'ACME', credentials })
  })
  beforeEach(() => simulator.reset())
  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  const post = (): Promise<Answer> => {
    const body = { alert_content: JSON.stringify({ user }), alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'ask_first' }
    return request(admin, 'POST', '/platformapi/alerts', body)
  }
  const asked = (): Promise<readonly Answer[]> => openDecisions(admin)
  const decide = (...words: string[]): Promise<string> => print('decision', ...words)
  /** Runs a `tocsin` command and returns what it prints. */
  async function print(...words: string[]): Promise<string> {
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    try {
      await (await buildProgram()).parseAsync([...words, '--url', admin.url, '--key', installation.adminKey], { from: 'user' })
    } finally {
      log.mockRestore()
    }
    return stripVTControlCharacters(lines.join('\n'))
  }
  const alertNow = (alert: Answer): Promise<Answer> => request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)

  test('continues after its decision is answered over the API', async () => {
    const alert = await post()
    await until(async () => (await asked()).length === 1)
    const [decision] = await asked()
    expect(decision).toMatchObject({ title: `Suspend ${user}?`, actions: [{ skill: 'mfa.suspend_mfa_user', target: user, connection: 'mfa' }] })
    await until(async () => ((await alertNow(alert))['runs'] as Answer[])[0]?.['state'] === 'waiting')
    expect(simulator.user(user)?.status).toBe('ACTIVE')

    await request(admin, 'POST', `/platformapi/decisions/${decision?.['id']}`, { verdict: 'approve', reason: 'Seen' })
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    expect(ended).toMatchObject({ investigation_status: 15 })
    expect(await request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)).toMatchObject({ summary: 'Approved by admin' })
    expect(simulator.user(user)?.status).toBe('SUSPENDED')
  })

  test('fails if its decision is declined; its alert joins the open case with the same key', async () => {
    const before = (await request(admin, 'GET', '/platformapi/cases'))['items'] as Answer[]
    const alert = await post()
    await until(async () => (await asked()).length === 1)
    const id = String((await asked())[0]?.['id'])
    expect(await decide('list')).toMatch(new RegExp(`${id} +approval +open +ACME-1 +Suspend ${user}\\?`))
    const shown = await decide('show', id)
    for (const part of [`mfa.suspend_mfa_user on ${user} via mfa`, 'playbook ask-first', 'step ask', 'for approver', `{"username":"${user}"}`])
      expect(shown).toContain(part)
    expect(await decide('answer', id, 'decline', '--reason', 'Not now')).toContain('admin: decline Not now')
    expect(await decide('list')).not.toContain(id)
    expect(JSON.parse(await decide('list', '--all', '--json'))).toContainEqual(expect.objectContaining({ id, state: 'declined' }))
    await expect(decide('answer', id, 'approve')).rejects.toMatchObject({ problem: { code: 'decision_closed' } })
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    expect(ended).toMatchObject({ investigation_status: 20, case_id: before[0]?.['case_id'], runs: [{ failure: { code: 'approval_declined' } }] })
    const found = await request(admin, 'GET', `/platformapi/cases/${ended['case_id']}`)
    expect(found['alerts']).toHaveLength(2)
    expect((found['timeline'] as Answer[]).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['opened', 'joined', 'decision', 'failure']))
  })

  test('can be cancelled', async () => {
    const alert = await post()
    await until(async () => (await asked()).length === 1)
    const run = `${alert['alert_uuid']}-r1`
    expect(await print('run', 'cancel', run, '--reason', 'A drill')).toContain(run)
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    expect(ended).toMatchObject({ investigation_status: 20, runs: [{ state: 'failed', failure: { code: 'run_cancelled' } }] })
    await until(async () => (await asked()).length === 0)
    expect(simulator.user(user)?.status).toBe('ACTIVE')
    expect(await print('case', 'show', String(ended['case_id']))).toContain('cancelled by admin: A drill')
    await expect(print('run', 'cancel', run)).rejects.toMatchObject({ problem: { code: 'run_over' } })
  })

  test('shows what it waits for; a retry names the earlier writes', async () => {
    const alert = await post()
    await until(async () => (await asked()).length === 1)
    const id = String((await asked())[0]?.['id'])
    await until(async () => ((await alertNow(alert))['runs'] as Answer[])[0]?.['state'] === 'waiting')
    const run = `${alert['alert_uuid']}-r1`
    expect(await request(admin, 'GET', `/platformapi/runs/${run}`)).toMatchObject({
      waiting: { until: expect.any(Number), decisions: [id] },
      decisions: [{ id, kind: 'approval', step: 'ask' }],
      in_doubt: [],
      writes: [],
      connections: [{ slot: 'mfa', instance: 'mfa', revision: 1 }],
      policy_revision: 0,
      retry_of: null,
      retry_at: null,
      cancelled: null,
    })
    expect(await print('run', 'show', run)).toContain(`approval Suspend ${user}? · tocsin decision show ${id}`)
    const caseId = String((await alertNow(alert))['case_id'])
    expect(await request(admin, 'GET', `/platformapi/cases/${caseId}`)).toMatchObject({
      open_decisions: [{ id, kind: 'approval', run, step: 'ask' }],
    })
    expect(await print('case', 'show', caseId)).toContain(`approval Suspend ${user}? · tocsin decision show ${id}`)
    await request(admin, 'POST', `/platformapi/decisions/${id}`, { verdict: 'approve' })
    await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    expect(await request(admin, 'GET', `/platformapi/cases/${caseId}`)).toMatchObject({ open_decisions: [] })
    const shown = await print('run', 'show', run)
    for (const part of [`${run}  completed`, 'ask  approve  approved by admin', `suspend  mfa.suspend_mfa_user on ${user} via mfa  done`])
      expect(shown).toContain(part)

    // Without a yes, there is no retry.
    const words = ['alert', 'retry', String(alert['alert_id']), '--url', admin.url, '--key', installation.adminKey]
    const asking = promisify(execFile)(process.execPath, [main, ...words])
    asking.child.stdin?.end()
    const refused = await asking.catch((error: unknown) => error)
    expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(/suspend mfa\.suspend_mfa_user[\s\S]*write_not_confirmed/) })
    expect(await alertNow(alert)).toMatchObject({ investigation_retry_count: 0 })
    const retried = JSON.parse(await print('alert', 'retry', String(alert['alert_id']), '--yes', '--json'))
    expect(retried).toMatchObject({ investigation_retry_count: 1, earlier_writes: [{ run_id: run, step: 'suspend', outcome: 'done' }] })
    await until(async () => (await asked()).length === 1)
    expect(await print('run', 'cancel', `${alert['alert_uuid']}-r2`)).toContain(`after ${run}`)
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    const told = await print('case', 'show', String(ended['case_id']))
    expect(told).toContain('admin asked for another investigation. Earlier attempts have made changes that may be repeated: suspend.')
    await until(async () => (await asked()).length === 0)
  })

  test('still waits after a restart', async () => {
    const alert = await post()
    await until(async () => (await asked()).length === 1)
    await until(async () => ((await alertNow(alert))['runs'] as Answer[])[0]?.['state'] === 'waiting')
    await running.stop()
    await open()
    expect(((await alertNow(alert))['runs'] as Answer[])[0]?.['state']).toBe('waiting')
    const again = request(admin, 'POST', `/platformapi/alerts/${alert['alert_id']}/retry`)
    await expect(again).rejects.toMatchObject({ problem: { code: 'alert_not_retriable' } })
    await request(admin, 'POST', `/platformapi/decisions/${(await asked())[0]?.['id']}`, { verdict: 'approve' })
    const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
    expect(ended).toMatchObject({ investigation_status: 15, runs: [{ failure: null }] })
  })

  test.runIf(browser)('continues after its decision is answered in the console', async () => {
    const alert = await post()
    const windows = await Windows.open()
    try {
      const person = await Person.open(windows, running.url, { key: installation.adminKey })
      const page = await person.visit('/decisions')
      await page.getByRole('link', { name: `Suspend ${user}?` }).click()
      await page.getByText(`{\n  "username": "${user}"\n}`).waitFor()
      expect(simulator.user(user)?.status).toBe('ACTIVE')
      await page.getByLabel('Approve').check()
      await page.getByLabel('Reason').fill('Called the user')
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByText('Approved', { exact: true }).waitFor()
      const ended = await request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
      expect(ended).toMatchObject({ investigation_status: 15 })
      expect(simulator.user(user)?.status).toBe('SUSPENDED')
      await page.getByRole('region', { name: 'The case' }).getByText('approved by admin: Called the user').waitFor()
      await page.getByRole('region', { name: 'The run' }).getByText('completed').waitFor()
      expect(person.complaints).toEqual([])
    } finally {
      await windows.close()
    }
  })
})
