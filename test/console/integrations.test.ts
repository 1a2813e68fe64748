import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { visiting } from '../support/console/visits.ts'
import { type Installation, newInstallation, shippedPlugin } from '../support/processes/installation.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

const key = Buffer.alloc(32, 3).toString('base64')
const token = 'token-of-the-file'

describe.runIf(browserAtHand('integrations'))('integrations in the console', () => {
  let installation: Installation
  let simulator: MfaSimulator
  let running: Running
  let admin: Target

  beforeAll(async () => {
    installation = newInstallation('embedded')
    const folder = join(installation.directory, 'pki')
    simulator = await startMfaSimulator({ pki: openPki(folder), orgAlias: 'acme-alias', token, key, strict: true })
    const playbooks = join(installation.directory, 'playbooks')
    mkdirSync(playbooks)
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(folder),
      TOCSIN_PLUGINS: shippedPlugin('mfa'),
      TOCSIN_PLAYBOOKS: playbooks,
    }
    const config = readConfig(environment, { port: '0' })
    running = await start(config, { api: true, worker: false }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  })
  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })
  const visits = visiting(() => admin)
  afterEach(() => {
    simulator.reset()
    simulator.faults.clear()
  })

  const file = (parts: Readonly<Record<string, string>> = {}): string =>
    Object.entries({
      use_base64_key: key.replace('=', '\\='),
      use_signature: 'true',
      token,
      idp_url: simulator.idpUrl,
      org_alias: 'acme-alias',
      admin_url: 'https://admin.example/pingid',
      ...parts,
    })
      .map(([name, value]) => `${name}=${value}`)
      .join('\n')
  const connections = async (): Promise<Answer[]> => (await request(admin, 'GET', '/platformapi/connections'))['items'] as Answer[]
  const connected = async (parts: object = {}): Promise<Answer> => {
    for (const { id } of await connections()) await request(admin, 'DELETE', `/platformapi/connections/${String(id)}`)
    return request(admin, 'POST', '/platformapi/connections', {
      instance: 'mfa-acme',
      integration: 'mfa',
      organization_code: 'ACME',
      paste: file(),
      ...parts,
    })
  }
  const keyWith = async (scopes: readonly string[]): Promise<string> =>
    String((await request(admin, 'POST', '/platformapi/keys', { name: 'test', scopes, organizations: ['ACME'] }))['key'])

  test('from an empty store, PingID is connected with its properties file in seven steps', async () => {
    const page = await visits.at('/integrations')
    const mfa = page.getByRole('article', { name: 'MFA Provider' })
    await mfa.getByText('Not connected').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await mfa.getByRole('link', { name: 'Connect' }).click()
    await page.getByText('Drop the file here, or paste its text').waitFor()
    expect(await visits.person.faults()).toEqual([])

    await page.locator('input[type=file]').setInputFiles({ name: 'pingid.properties', mimeType: 'text/plain', buffer: Buffer.from(file()) })
    await page.getByText('The file fills 4 fields.').waitFor()
    await expect.poll(() => page.locator('input[name=idp_url]').inputValue()).toBe(simulator.idpUrl)
    const shown = await page.content()
    expect(shown).not.toContain(token)
    expect(shown).not.toContain(key)
    expect(await visits.person.faults()).toEqual([])

    await page.getByRole('button', { name: 'Save and test' }).click()
    await page.getByText('The credentials work').waitFor()
    expect(await connections()).toMatchObject([{ instance: 'mfa-acme', organization_code: 'ACME', last_test: { ok: true }, revision: 1 }])
    await page.getByText('No active playbook uses it.').waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('a wrong file is refused field by field, and one value can be typed instead', async () => {
    for (const { id } of await connections()) await request(admin, 'DELETE', `/platformapi/connections/${String(id)}`)
    const page = await visits.at('/integrations/mfa/connect', { width: widths.phone })
    const area = page.getByLabel('Drop the file here, or paste its text')
    await area.fill('not a properties file')
    await page.getByText('Line 1: This line is not key=value.').waitFor()
    await area.fill(file({ idp_url: 'https://admin.example/web-portal', token: '"quoted"' }))
    await page.getByText('This is admin_url. Copy the value of idp_url.').last().waitFor()
    await page.getByText('Token is in quotes.').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Type instead: Idp_url' }).click()
    await page.locator('input[name=idp_url]').fill(simulator.idpUrl)
    await page.getByRole('button', { name: 'Type instead: Token' }).click()
    await page.locator('input[name=token]').fill('wrong-token')
    await page.getByRole('button', { name: 'Save and test' }).click()
    await page.getByText('The test failed').waitFor()
    await page.getByText('Save all four values of one active properties file in the connection again.').waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('what somebody has typed for a connection is there again after other pages, its secrets too, until they sign out', async () => {
    const connection = await connected()
    const page = await visits.at('/integrations/mfa/connect')
    const area = page.getByLabel('Drop the file here, or paste its text')
    await area.fill(file({ token: '' }))
    await page.getByRole('button', { name: 'Type instead: Token' }).click()
    await page.locator('input[name=token]').fill('typed-token')
    await page.getByLabel('Instance').fill('mfa-second')
    await page.getByRole('link', { name: 'Cases' }).click()
    await page.getByRole('heading', { name: 'Cases' }).waitFor()
    // Another form of the same integration does not have it.
    await page.goBack()
    await page.getByRole('tab', { name: 'Connections' }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Instance').inputValue()).toBe('mfa-acme')
    await page.getByLabel('Description').fill('half typed')
    await page.getByRole('tab', { name: 'Skills' }).click()
    await page.getByRole('tab', { name: 'Connections' }).click()
    await page.getByRole('button', { name: 'New connection' }).click()
    expect(await page.getByLabel('Instance').inputValue()).toBe('mfa-second')
    expect(await page.locator('input[name=token]').inputValue()).toBe('typed-token')
    await page.getByText('The file fills 3 fields.').waitFor()
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('typed-token')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'mfa-second' }).waitFor()
    expect(await connections()).toHaveLength(2)
    await page.getByRole('button', { name: 'New connection' }).click()
    expect(await page.getByLabel('Instance').inputValue()).toBe('mfa-acme-2')
    await page.locator('input[name=token]').fill('another-token')

    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await visits.person.signIn(admin.key)
    await page.getByLabel('Instance').waitFor()
    expect(await page.locator('input[name=token]').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'mfa-acme' }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    await page.getByLabel('Description').fill('not wanted')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('')
    expect(await connections()).toContainEqual(expect.objectContaining({ id: connection['id'], revision: 1 }))
  })

  test('a change that somebody else has overtaken shows theirs beside mine, and loses neither', async () => {
    const connection = await connected()
    const page = await visits.at(`/integrations/mfa/connections/${String(connection['id'])}/change`)
    await page.getByLabel('Description').fill('mine')
    await request(admin, 'PATCH', `/platformapi/connections/${String(connection['id'])}`, { revision: 1, description: 'theirs' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const note = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this connection' })
    await note.getByText('theirs', { exact: true }).waitFor()
    await note.getByText('mine', { exact: true }).waitFor()
    await note.getByRole('button', { name: 'Keep mine, then save again' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Change' }).waitFor()
    expect(await connections()).toMatchObject([{ description: 'mine', revision: 3, secrets_set: ['token', 'use_base64_key'] }])
    await page.getByRole('link', { name: 'Who changed it' }).click()
    await page.getByRole('row').nth(3).getByText('a connection was created').waitFor()
    expect(await page.getByRole('row').getByText('a connection was changed').count()).toBe(2)
  })

  test('a connection is removed only by its name, after the page has shown who uses it', async () => {
    const connection = await connected()
    await request(admin, 'POST', '/platformapi/playbooks', {
      organization_code: 'ACME',
      playbooks: [
        {
          text: 'format: 1\nplaybook: uses-it\nalert_type: uses-it\nsteps:\n  - { id: a, skill: mfa.get_mfa_user_details, with: { username: ada } }\n',
        },
      ],
    })
    const page = await visits.at(`/integrations/mfa/connections/${String(connection['id'])}`)
    await page.getByRole('table', { name: 'Playbooks that use it' }).getByText('uses-it').first().waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('New runs fail').waitFor()
    expect(await visits.person.faults()).toEqual([])
    expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
    await dialog.getByLabel('To confirm, type the name of the connection').fill('mfa-acme')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No connection yet').waitFor()
    expect(await connections()).toEqual([])
  })

  test('a read is sent at once; a write is sent once, after the exact call was confirmed', async () => {
    await connected()
    const page = await visits.at('/integrations/mfa/skills/mfa.get_mfa_user_details')
    await page.getByLabel('username').fill('ada.lovelace@acme.example')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The system answered').waitFor()
    await page.getByLabel('Output', { exact: true }).getByText('ACTIVE').waitFor()

    await page.getByRole('button', { name: /Suspend MFA User/ }).click()
    await page.getByRole('button', { name: 'Show the call' }).click()
    await page.getByText('username is missing').first().waitFor()
    await page.getByLabel('username').fill('ada.lovelace@acme.example')
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Show the call' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send Suspend MFA User?' })
    await dialog.getByText('/pingid/rest/4/suspenduser/do').waitFor()
    expect(await visits.person.faults()).toEqual([])
    expect(simulator.user('ada.lovelace@acme.example')?.status).toBe('ACTIVE')
    const before = simulator.counts.requests
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: 'Send it once' }).dblclick()
    await page.getByText('Done', { exact: true }).waitFor()
    expect(simulator.counts.requests - before).toBe(1)
    expect(simulator.user('ada.lovelace@acme.example')?.status).toBe('SUSPENDED')
    await page.reload()
    await page.getByRole('button', { name: 'Show the call' }).waitFor()
    expect(simulator.counts.requests - before).toBe(1)
  })

  test('a hostile answer is text, and nothing in it runs or widens the page', async () => {
    await connected()
    const script = `<img src=x onerror="document.title='owned'">\u202Egnp.exe`
    const body = JSON.stringify({ errorId: 10_000, errorMsg: script + 'x'.repeat(1_000_000) })
    simulator.faults.add({ fault: { kind: 'answer', reply: { status: 400, body }, effect: 'none' }, times: 1, path: '/pingid/rest' })
    const page = await visits.at('/integrations/mfa/skills/mfa.get_mfa_user_details', { width: widths.phone })
    await page.getByLabel('username').fill('ada.lovelace@acme.example')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The call failed').waitFor()
    expect(await page.title()).not.toContain('owned')
    expect(await page.locator('img[src="x"]').count()).toBe(0)
    expect(await visits.person.overflow()).toBeLessThanOrEqual(0)
  })

  test('a key that may only read is offered no form, no test and no write', async () => {
    await connected({ expires_at: 1 })
    const page = await visits.at('/integrations/mfa', { key: await keyWith(['connections:read']) })
    await page.getByText('Expired').first().waitFor()
    for (const name of ['Test', 'Change', 'Remove', 'New connection']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Who changed it' }).count()).toBe(0)
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('tab', { name: 'Skills' }).click()
    await page.getByRole('button', { name: /Suspend MFA User/ }).click()
    await page.getByText('Your key lacks the permission connections:write.').waitFor()
    await page.getByRole('button', { name: /Get MFA User Details/ }).click()
    await page.getByLabel('username').fill('ada')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The credentials of mfa-acme expired').waitFor()
  })
})
