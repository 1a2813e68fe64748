import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { visiting } from '../support/console/visits.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

/* The first run: from an empty installation to the first case, with the shipped playbooks and the real engine. */

describe.runIf(browserAtHand('the first run'))('the first run', () => {
  let installation: Installation
  let running: Running
  let admin: Target

  beforeAll(async () => {
    installation = newInstallation('embedded')
    const config = readConfig(installation.environment, { port: '0' })
    running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
  })
  afterAll(async () => {
    await running?.stop()
    await installation?.remove()
  })
  const visits = visiting(() => admin)

  const items = async (path: string): Promise<readonly Answer[]> =>
    (await request(admin, 'GET', `/platformapi/${path}`))['items'] as readonly Answer[]

  test('leads from an empty installation to the first case, one step after the other', async () => {
    const page = await visits.at('/home')
    await page.getByRole('link', { name: 'Begin the first run' }).click()
    await page.getByRole('heading', { name: 'First run' }).waitFor()
    // The playbooks that ship are active, so one step is done.
    await page.getByText('1 of 7 steps are done.').waitFor()
    expect(await visits.person.faults()).toEqual([])

    await page.getByRole('textbox', { name: 'Code' }).fill('ACME')
    await page.getByRole('textbox', { name: 'Name' }).fill("Acme's clinics")
    await page.getByText(`tocsin organization create ACME 'Acme'\\''s clinics'`).waitFor()
    await page.getByRole('button', { name: 'Create the organization' }).click()

    await page.getByRole('button', { name: 'Create the provider' }).waitFor()
    await page.getByRole('textbox', { name: 'Code' }).fill('IDP')
    await page.getByRole('textbox', { name: 'Name' }).fill('Identity provider')
    await page.getByRole('button', { name: 'Create the provider' }).click()

    await page.getByRole('button', { name: 'Create the key' }).click()
    const value = page.getByText(/^tsk_/)
    await value.waitFor()
    const source: Target = { url: running.url, key: (await value.textContent()) ?? '' }
    // The key works, and the page shows it until it is copied; then never again.
    expect(await request(source, 'GET', '/platformapi/alerts')).toMatchObject({ items: [] })
    await page.getByText('4 of 7 steps are done.').waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const [key] = (await items('keys')).filter(({ name }) => name === 'IDP of ACME')
    expect(key).toMatchObject({ organizations: ['ACME'], scopes: expect.arrayContaining(['alerts:write']) })
    expect(await items('organizations')).toMatchObject([{ code: 'ACME', name: "Acme's clinics" }])

    const post = page.getByRole('button', { name: 'Post the test alert' })
    await post.waitFor()
    expect(await value.count()).toBe(0)
    expect(await visits.person.faults()).toEqual([])
    await post.click()
    const open = page.getByRole('link', { name: 'Open ACME-1' })
    await open.waitFor()
    await page.getByText('6 of 7 steps are done.').waitFor()
    const [found] = await items('cases')
    expect(found).toMatchObject({ case_id: 'ACME-1', title: 'MFA fatigue: ada.lovelace@acme.example' })

    // A template becomes the playbook of the organization.
    await page.getByRole('button', { name: /Choose a playbook/ }).click()
    await page.getByRole('button', { name: 'Activate it for ACME' }).click()
    await page.getByText('mfa-fatigue is active for ACME').waitFor()
    const own = (await items('playbooks?organization=ACME')).filter(({ organization_code: owner }) => owner === 'ACME')
    expect(own.map(({ name, key: type }) => [name, type])).toContainEqual(['mfa-fatigue', 'mfa_fatigue'])

    await page.getByRole('button', { name: /Read the case/ }).click()
    await open.click()
    await page.waitForURL('**/console/cases/ACME-1')
  })

  test('a key that may do little is offered nothing that it may not do, on a phone too', async () => {
    const { key } = await request(admin, 'POST', '/platformapi/keys', { name: 'reader', scopes: ['providers:read'] })
    const page = await visits.at('/start', { key: String(key), width: widths.phone })
    await page.getByRole('button', { name: /Name an alert source/ }).click()
    await page.getByText('it lacks providers:write').waitFor()
    expect(await page.getByRole('button', { name: 'Create the provider' }).count()).toBe(0)
    expect(await visits.person.faults()).toEqual([])
  })
})
