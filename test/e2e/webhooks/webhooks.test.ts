import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { type Received, Receiver, status } from '../../notify/receiver.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { documentedVerify } from '../../support/documented-verify.ts'
import { tocsin } from '../../support/processes/in-process.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'
import { until } from '../../support/until.ts'

/* Tests webhooks with real processes, from the command line to the requests that receivers get. */

const verify = await documentedVerify()
/** When the bypass ends. The processes use the real time. */
const end = Date.now() + 86_400_000
const playbook = `format: 1
playbook: let-in
alert_type: let_in
connections: { idp: { integration: mfa } }
case: { title: 'Let somebody in', severity: high }
steps:
  - id: bypass
    skill: mfa.toggle_mfa_user_bypass
    with: { username: ada@acme.example, bypass: enabled, until: ${end} }
`

describe.each(backendsAtHand('webhooks'))('%s', (backends) => {
  let installation: Installation
  let receiver: Receiver
  let process: TocsinProcess
  let admin: Target

  beforeAll(async () => {
    installation = newInstallation(backends)
    const pki = join(installation.directory, 'pki')
    receiver = await Receiver.start(openPki(pki))
    const playbooks = join(installation.directory, 'playbooks')
    mkdirSync(playbooks)
    writeFileSync(join(playbooks, 'let-in.yaml'), playbook)
    Object.assign(installation.environment, { TOCSIN_CA_FILE: caFile(pki), TOCSIN_PLUGINS: shippedPlugin('mfa'), TOCSIN_PLAYBOOKS: playbooks })
    await startProcess()
    await request(admin, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
    const credentials = {
      idp_url: 'https://127.0.0.1:1/pingid',
      org_alias: 'acme',
      token: 't',
      use_base64_key: Buffer.alloc(32, 'k').toString('base64'),
    }
    for (const code of ['ACME', 'GLOBEX']) {
      await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
      await request(admin, 'POST', '/platformapi/connections', { instance: 'mfa', integration: 'mfa', organization_code: code, credentials })
    }
  })
  beforeEach(() => receiver.reset())
  afterEach(async () => {
    const { items } = await request(admin, 'GET', '/platformapi/webhooks')
    for (const { id } of items as Answer[]) await request(admin, 'DELETE', `/platformapi/webhooks/${id}`)
  })
  afterAll(async () => {
    await process?.stop()
    await receiver?.close()
    await installation?.remove()
  })

  async function startProcess(): Promise<void> {
    process = await spawnTocsin('up', installation.environment)
    admin = { url: process.url, key: installation.adminKey }
  }
  const cli = (...words: string[]) => tocsin(['webhook', ...words, '--url', admin.url, '--key', admin.key])
  async function add(...words: string[]): Promise<Answer> {
    const { out, code } = await cli('add', ...words, '--json')
    expect(code).toBe(0)
    return JSON.parse(out) as Answer
  }
  const post = (organization: string): Promise<Answer> =>
    request(admin, 'POST', '/platformapi/alerts', {
      alert_content: 'the secret of the alert',
      alert_provider: 'P',
      organization_code: organization,
      alert_type: 'let_in',
    })
  const of = (type: string): Received | undefined => receiver.received.find(({ body }) => (JSON.parse(body) as Answer)['type'] === type)
  const dataOf = async (type: string): Promise<Answer> => {
    const received = await until(async () => of(type))
    return (JSON.parse(received.body) as { data: Answer }).data
  }

  test('a receiver can answer the decision that it is told of, and then hears that it closed and that the run failed', async () => {
    const { secret } = await add(`${receiver.url}/in`, '--events', 'decision.opened,decision.closed,run.failed,case.opened', '--organization', 'ACME')
    const { alert_uuid } = await post('ACME')
    const asked = await dataOf('decision.opened')
    expect(asked).toMatchObject({
      organization_code: 'ACME',
      kind: 'approval',
      state: 'open',
      alert_uuid,
      severity: 'high',
      case_title: 'Let somebody in',
    })
    await request(admin, 'POST', String(asked['path']), { verdict: 'decline', reason: 'not now' })
    expect(await dataOf('decision.closed')).toMatchObject({ decision_id: asked['decision_id'], state: 'declined', path: asked['path'] })
    const failed = await dataOf('run.failed')
    expect(failed).toMatchObject({
      run_id: asked['run_id'],
      attempt: 1,
      failure: { code: 'approval_declined', step: 'bypass' },
      retry_at: null,
      case_id: asked['case_id'],
    })
    expect(await request(admin, 'GET', String(failed['path']))).toMatchObject({ state: 'failed' })
    const opened = await dataOf('case.opened')
    expect(await request(admin, 'GET', String(opened['path']))).toMatchObject({ case_id: asked['case_id'] })
    for (const { headers, body } of receiver.received) {
      expect(verify(String(secret), headers, body)).toBe(true)
      expect(verify(String(secret), headers, `${body} `)).toBe(false)
      for (const hidden of ['the secret of the alert', String(end), String(secret)]) expect(body).not.toContain(hidden)
    }
  })

  test("an organization's webhook gets no events of another organization", async () => {
    await add(`${receiver.url}/acme`, '--events', 'case.opened', '--organization', 'ACME')
    await add(`${receiver.url}/all`, '--events', 'case.opened')
    await post('GLOBEX')
    await post('ACME')
    await until(async () => receiver.idsAt('/all').length === 2 && receiver.idsAt('/acme').length === 1)
    const told = receiver.received
      .filter(({ path }) => path === '/acme')
      .map(({ body }) => (JSON.parse(body) as { data: Answer }).data['organization_code'])
    expect(told).toEqual(['ACME'])
  })

  test('the next process delivers what a killed process had not delivered, under the same event id', async () => {
    receiver.answers.set('/in', () => undefined)
    const { id } = await add(`${receiver.url}/in`, '--events', 'case.opened')
    await post('ACME')
    await until(async () => receiver.idsAt('/in').length > 0)
    await process.kill()
    receiver.answers.clear()
    await startProcess()
    const delivered = await until(async () => {
      const { items } = await request(admin, 'GET', `/platformapi/webhooks/${id}/deliveries?state=delivered`)
      return (items as Answer[])[0]
    })
    expect(new Set(receiver.idsAt('/in'))).toEqual(new Set([delivered['event_id']]))
    expect(new Set(receiver.received.map(({ body }) => body))).toEqual(new Set([delivered['body']]))
  })

  test('the command line adds, shows, tests, rotates, disables, redelivers and removes', async () => {
    const added = await add(`${receiver.url}/in`, '--events', 'case.opened', '--description', 'Tickets')
    const id = String(added['id'])
    expect((await cli('list')).out).toContain(`(all)         ${receiver.url}/in`)
    expect((await cli('show', id)).out).not.toContain(String(added['secret']))
    expect(await cli('test', id)).toMatchObject({ code: 0, out: expect.stringMatching(/status +200/) })

    const { secret } = JSON.parse((await cli('rotate', id, '--overlap', '1h', '--json')).out) as Answer
    receiver.reset()
    await cli('test', id)
    const [ping] = receiver.received
    for (const each of [secret, added['secret']]) expect(verify(String(each), ping!.headers, ping!.body)).toBe(true)
    await cli('rotate', id, '--overlap', '0s')
    await cli('test', id)
    for (const each of [secret, added['secret']]) expect(verify(String(each), receiver.received[1]!.headers, receiver.received[1]!.body)).toBe(false)

    receiver.answers.set('/in', status(410))
    await post('ACME')
    await until(async () => (await cli('list')).out.includes('disabled: gone'))
    // The webhook is disabled first. Its delivery is dead a moment later.
    const dead = await until(async () => {
      const found = JSON.parse((await cli('deliveries', id, '--state', 'dead', '--json')).out) as Answer[]
      return found.length > 0 && found
    })
    expect(dead).toMatchObject([{ type: 'case.opened', last_status: 410, last_error: expect.stringContaining('wants no more') }])
    const delivery = String(dead[0]?.['id'])
    expect(await cli('redeliver', id, delivery)).toMatchObject({ code: 1, err: expect.stringContaining('[webhook_disabled]') })
    expect(await cli('test', id)).toMatchObject({ code: 1, out: expect.stringMatching(/status +410/) })
    receiver.answers.clear()
    await cli('enable', id)
    expect(await cli('redeliver', id, delivery)).toMatchObject({ code: 0, out: expect.stringMatching(/state +waiting/) })
    await until(async () => (await cli('deliveries', id, '--state', 'delivered')).out.includes(delivery))
    expect((await cli('disable', id)).out).toMatch(/disabled_because +by_hand/)
    expect(await cli('remove', id)).toMatchObject({ code: 0, out: `removed ${id}\n` })
    expect(await cli('show', id)).toMatchObject({ code: 1, err: expect.stringContaining('[webhook_unknown]') })
    expect(await cli('add', 'http://soar.example/', '--events', 'case.opened')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Plain HTTP is allowed only if TOCSIN_EGRESS_ALLOW names the host'),
    })
  })
})
