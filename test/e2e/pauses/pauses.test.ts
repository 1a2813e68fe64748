import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { buildProgram } from '../../../runtime/cli/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../../simulators/mfa/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { openDecisions } from '../../support/api/decisions.ts'
import { mfaClient, mfaCredentials } from '../../support/mfa-system.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'
import { until } from '../../support/until.ts'

const user = 'alan.turing@acme.example'
const other = 'ada.lovelace@acme.example'
const contain = `
format: 1
playbook: contain-user
alert_type: contain_user
inputs: { user: { type: string, from: [content.user], required: true } }
steps:
  - { id: look, skill: mfa.get_mfa_user_details, with: { username: '{{ inputs.user }}' } }
  - { id: suspend, skill: mfa.suspend_mfa_user, with: { username: '{{ inputs.user }}' } }
`
const askFirst = `
format: 1
playbook: ask-first
alert_type: ask_first
inputs: { user: { type: string, from: [content.user], required: true } }
steps:
  - { id: ask, approve: { title: 'Suspend {{ inputs.user }}?', covers: suspend } }
  - { id: suspend, skill: mfa.suspend_mfa_user, with: { username: '{{ inputs.user }}' } }
`
const policy = 'format: 1\napprovals: { high: none }\n'

describe.each(backendsAtHand('pauses'))('pauses, on %s', (backends) => {
  let installation: Installation
  let simulator: MfaSimulator
  let tocsin: TocsinProcess[] = []
  let admin: Target
  const log: string[] = []

  const pki = (): string => join(installation.directory, 'pki')
  const playbooks = (): string => join(installation.directory, 'playbooks')

  /** Starts one process on the embedded store. On services, starts one for the API and one for the runs. */
  async function open(): Promise<void> {
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(pki()),
      TOCSIN_PLUGINS: shippedPlugin('mfa'),
      TOCSIN_PLAYBOOKS: playbooks(),
      TOCSIN_LOG_LEVEL: 'warn',
    }
    const commands = backends === 'embedded' ? (['up'] as const) : (['serve', 'worker'] as const)
    tocsin = []
    for (const command of commands) tocsin.push(await spawnTocsin(command, environment, log))
    admin = { url: tocsin[0]!.url, key: installation.adminKey }
  }

  beforeAll(async () => {
    installation = newInstallation(backends)
    mkdirSync(playbooks())
    writeFileSync(join(playbooks(), 'contain-user.yaml'), contain)
    writeFileSync(join(playbooks(), 'ask-first.yaml'), askFirst)
    simulator = await startMfaSimulator({ pki: openPki(pki()), ...mfaClient, strict: true })
    await open()
    await request(admin, 'POST', '/platformapi/providers', { code: 'IDP', name: 'Identity provider' })
    for (const code of ['ACME', 'GLOBEX']) {
      await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
      await request(admin, 'PUT', `/platformapi/organizations/${code}/policy`, { text: policy })
      const credentials = mfaCredentials(simulator)
      const connection = { instance: 'mfa', integration: 'mfa', organization_code: code, credentials }
      await request(admin, 'POST', '/platformapi/connections', connection)
    }
  })
  beforeEach(() => simulator.reset())
  afterEach(async () => {
    await cli('resume', '--all')
  })
  afterAll(async () => {
    for (const each of tocsin) await each.stop()
    await simulator?.close()
    await installation?.remove()
  })

  /** Runs a `tocsin` command and returns what it prints. */
  async function cli(...words: string[]): Promise<string> {
    const lines: string[] = []
    const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    try {
      const key = words.includes('--key') ? [] : ['--key', installation.adminKey]
      await (await buildProgram()).parseAsync([...words, '--url', admin.url, ...key], { from: 'user' })
    } finally {
      print.mockRestore()
    }
    return stripVTControlCharacters(lines.join('\n'))
  }
  const post = (type: string, organization = 'ACME', who = user): Promise<Answer> => {
    const body = { alert_content: JSON.stringify({ user: who }), alert_provider: 'IDP', organization_code: organization, alert_type: type }
    return request(admin, 'POST', '/platformapi/alerts', body)
  }
  const now = (alert: Answer): Promise<Answer> => request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`)
  const ended = (alert: Answer): Promise<Answer> =>
    request(admin, 'GET', `/platformapi/alerts/${alert['alert_id']}`, undefined, { prefer: 'wait=200' })
  const runOf = (alert: Answer): string => `${alert['alert_uuid']}-r1`
  /** Investigates an alert of another organization. When it has ended, workers have also seen the jobs that were queued before it. */
  async function meanwhile(): Promise<void> {
    expect(await ended(await post('contain_user', 'GLOBEX', other))).toMatchObject({ investigation_status: 15 })
  }

  /** Waits until claims see the latest pause. A claim may use pauses that it read up to a second ago. */
  async function claimsKnow(): Promise<void> {
    const [{ paused_at: since }] = JSON.parse(await cli('pause', 'list', '--json'))
    await until(async () => Date.now() > since + 1_000)
  }

  test('a paused organization keeps its alerts until it is resumed, and other organizations go on', async () => {
    expect(await cli('pause', '--organization', 'ACME', '--reason', 'night shift')).toMatch(
      /^paused {2}the organization ACME, paused since \S+ \S+ by admin: night shift\nTo resume: tocsin resume \S+\. Held work then continues by itself\./,
    )
    await claimsKnow()
    const alert = await post('contain_user')
    await meanwhile()
    expect((await now(alert))['investigation_status']).toBeOneOf([0, 5])
    expect((await now(alert))['runs']).toEqual([])
    expect(await cli('alert', 'show', String(alert['alert_id']))).toMatch(
      /^ {2}held the organization ACME, paused since \S+ \S+ by admin: night shift · tocsin resume \S+$/m,
    )
    expect(await cli('pause', 'list')).toMatch(/the organization ACME +\d{4}-\S+ \S+ +admin +night shift/)
    expect(JSON.parse(await cli('pause', 'list', '--json'))).toMatchObject([{ kind: 'organization', state: 'standing' }])

    expect(await cli('resume', '--organization', 'ACME', '--reason', 'good morning')).toMatch(/^resumed {2}the organization ACME, by admin at/)
    expect(await ended(alert)).toMatchObject({ investigation_status: 15 })
    expect(simulator.user(user)?.status).toBe('SUSPENDED')
    expect(await cli('pause', 'list')).not.toContain('ACME')
    expect(await cli('pause', 'list', '--all')).toContain('night shift')
  })

  test('with a key of one organization, `resume --all` resumes that organization and reports what it may not resume', async () => {
    const scopes = ['pauses:read', 'pauses:write']
    const { key } = await request(admin, 'POST', '/platformapi/keys', { name: 'night shift', organizations: ['GLOBEX'], scopes })
    await cli('pause', '--organization', 'GLOBEX')
    await cli('pause')
    await expect(cli('resume', '--all', '--key', String(key))).rejects.toMatchObject({ problem: { code: 'organization_forbidden' } })
    expect(JSON.parse(await cli('pause', 'list', '--json'))).toMatchObject([{ kind: 'everything' }])
    await cli('resume', '--all')
    expect(await cli('resume', '--all')).toBe('Nothing is paused.')
  })

  test('a run whose decision is answered during a pause waits, even after a restart, says why, and continues after the resume', async () => {
    const alert = await post('ask_first')
    await until(async () => (await openDecisions(admin)).length === 1)
    await until(async () => ((await now(alert))['runs'] as Answer[])[0]?.['state'] === 'waiting')
    await cli('pause')
    const [decision] = await openDecisions(admin)
    await request(admin, 'POST', `/platformapi/decisions/${decision?.['id']}`, { verdict: 'approve' })
    for (const each of tocsin) await each.stop()
    log.length = 0
    await open()
    // Each process logs the pause once. The log arrives separately from the output, so wait for it.
    const said = (): number => log.filter((line) => line.includes('Everything has been paused since')).length
    await until(async () => said() >= tocsin.length)
    expect(said()).toBe(tocsin.length)
    const shown = await cli('run', 'show', runOf(alert))
    expect(shown).toMatch(/^ {2}held everything, paused since \S+ \S+ by admin · tocsin resume \S+$/m)
    expect(await request(admin, 'GET', `/platformapi/runs/${runOf(alert)}`)).toMatchObject({
      state: 'waiting',
      pauses: [{ kind: 'everything', paused_by: 'admin' }],
    })
    expect(await now(alert)).toMatchObject({ pauses: [{ kind: 'everything' }] })
    expect(simulator.user(user)?.status).toBe('ACTIVE')
    await expect(cli('resume', '--organization', 'ACME')).rejects.toMatchObject({
      code: 'pause_unknown',
      message: expect.stringContaining('everything'),
    })
    await cli('resume')
    expect(await ended(alert)).toMatchObject({ investigation_status: 15 })
    expect(simulator.user(user)?.status).toBe('SUSPENDED')
    expect(await request(admin, 'GET', `/platformapi/runs/${runOf(alert)}`)).toMatchObject({ state: 'completed', pauses: [] })
  })

  test('a write that has not left when the pause is acknowledged is not sent', async () => {
    // The simulator holds the answer to the read until the pause is set. The next call of the run is the write.
    simulator.fail({ failure: 'hold' })
    const alert = await post('contain_user')
    await until(async () => simulator.faults.holding > 0)
    await cli('pause', '--playbook', 'contain-user')
    simulator.faults.release()
    await until(async () => ((await now(alert))['runs'] as Answer[])[0]?.['state'] === 'waiting')
    expect(simulator.user(user)?.status).toBe('ACTIVE')
    expect((await now(alert))['investigation_status']).toBe(10)
    // Nobody knows which playbook an alert gets until a worker has looked at it.
    await claimsKnow()
    const next = await post('contain_user', 'GLOBEX', other)
    await until(async () => ((await now(next))['pauses'] as Answer[]).length > 0)
    expect(await now(next)).toMatchObject({ runs: [], pauses: [{ kind: 'playbook', playbook: 'contain-user' }] })
    await cli('resume', '--playbook', 'contain-user')
    expect(await ended(next)).toMatchObject({ investigation_status: 15, pauses: [] })
    expect(await ended(alert)).toMatchObject({ investigation_status: 15 })
    expect(simulator.user(user)?.status).toBe('SUSPENDED')
  })

  test('a paused connection refuses manual writes, and still allows reads and connection tests', async () => {
    await cli('pause', '--connection', 'mfa', '--organization', 'ACME', '--reason', 'who did this?')
    const [connection] = (await request(admin, 'GET', '/platformapi/connections?organization=ACME'))['items'] as Answer[]
    const at = `/platformapi/connections/${connection?.['id']}`
    const suspend = `${at}/skills/mfa.suspend_mfa_user`
    expect(await request(admin, 'POST', suspend, { input: { username: user } })).toMatchObject({
      ok: false,
      effect: 'not_sent',
      code: 'paused',
      message: expect.stringMatching(/^The connection mfa of ACME has been paused since .* by admin: who did this\?$/),
      remedy: expect.stringContaining('tocsin resume'),
    })
    expect(await request(admin, 'POST', `${at}/test`)).toMatchObject({ ok: true })
    expect(await request(admin, 'POST', `${at}/skills/mfa.get_mfa_user_details`, { input: { username: user } })).toMatchObject({ ok: true })
    expect(simulator.user(user)?.status).toBe('ACTIVE')
    await cli('resume', '--connection', 'mfa', '--organization', 'ACME')
    expect(await request(admin, 'POST', suspend, { input: { username: user } })).toMatchObject({ ok: true })
  })
})
