import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type BrowserSimulator, idOf, startBrowserSimulator } from '../../simulators/browser/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { visiting } from '../../support/console/visits.ts'
import { type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { widths } from '../../support/processes/person.ts'
import { browserAtHand } from '../../support/processes/windows.ts'

const path = '/platformapi/fetches'

describe.runIf(browserAtHand('the form of fetches'))('the form of fetches in the console', () => {
  let installation: Installation
  let simulator: BrowserSimulator
  let running: Running
  let admin: Target
  let connection: Answer

  beforeAll(async () => {
    installation = newInstallation('embedded')
    const pki = join(installation.directory, 'pki')
    simulator = await startBrowserSimulator({ pki: openPki(pki), key: 'k', strict: true })
    const playbooks = join(installation.directory, 'playbooks')
    mkdirSync(playbooks)
    const environment = {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(pki),
      TOCSIN_PLUGINS: shippedPlugin('browser'),
      TOCSIN_PLAYBOOKS: playbooks,
    }
    const config = readConfig(environment, { port: '0' })
    running = await start(config, { api: true, worker: false }, createLogger({ level: config.logLevel, destination: process.stderr }))
    admin = { url: running.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/providers', { code: 'BROWSER', name: 'Browser security' })
    for (const code of ['ACME', 'OTHER']) await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
    const made = { integration: 'browser', credentials: { api_key: 'k', base_url: simulator.url } }
    connection = await request(admin, 'POST', '/platformapi/connections', { ...made, instance: 'browser-acme', organization_code: 'ACME' })
    await request(admin, 'POST', '/platformapi/connections', { ...made, instance: 'browser-other', organization_code: 'OTHER' })
    await request(admin, 'POST', '/platformapi/connections', { ...made, instance: 'browser-all' })
  })
  afterAll(async () => {
    await running?.stop()
    await simulator?.close()
    await installation?.remove()
  })
  const visits = visiting(() => admin)
  const fetches = async (): Promise<Answer[]> => (await request(admin, 'GET', path))['items'] as Answer[]
  const choose = (page: Page, name: string, label: RegExp): Promise<unknown> => {
    const select = page.getByRole('combobox', { name })
    return select
      .locator('option', { hasText: label })
      .first()
      .getAttribute('value')
      .then((value) => select.selectOption(value))
  }
  const made = (parts: object = {}): Promise<Answer> =>
    request(admin, 'POST', path, {
      name: 'Detections',
      organization_code: 'ACME',
      connection: connection['id'],
      skill: 'list_browser_detections',
      input: { created_after: '{{ since.seconds }}' },
      items_at: '/detections',
      alert_provider: 'BROWSER',
      alert_type: 'browser_detection',
      idempotency_key_at: '/id',
      enabled: false,
      ...parts,
    })

  test('a fetch is made: what the skill says is filled in, a trial shows the alerts, and it is saved', async () => {
    const page = await visits.at('/settings/fetches')
    await page.getByText('Nothing is fetched yet.').waitFor()
    await page.getByRole('link', { name: 'New fetch …' }).press('Enter')
    await page.getByLabel('Name', { exact: false }).first().fill('Detections of <b>Acme</b>')
    await choose(page, 'Organization', /ACME/)
    const connections = page.getByRole('combobox', { name: 'Connection' }).locator('option')
    expect(await connections.allTextContents()).toEqual(['Choose one', 'browser-acme (browser)', 'browser-all (browser, shared)'])
    await choose(page, 'Connection', /browser-acme/)
    const skills = page.getByRole('combobox', { name: 'Skill' }).locator('option')
    await skills.filter({ hasText: 'list_browser_detections' }).waitFor({ state: 'attached' })
    // A fetch only reads.
    expect((await skills.allTextContents()).filter((text) => /delete|update|revoke/.test(text))).toEqual([])
    await choose(page, 'Skill', /list_browser_detections/)
    expect(await page.getByRole('combobox', { name: 'Where the list is' }).inputValue()).toBe('/detections')
    expect(await page.getByRole('combobox', { name: 'Where the id is' }).inputValue()).toBe('/id')
    await page.getByText('The input does not say since when').waitFor()
    await page.getByRole('textbox', { name: 'Input' }).fill('{"created_after": "{{ since.seconds }}", "max_items": 1}')
    await page.getByText('The input does not say since when').waitFor({ state: 'hidden' })
    await choose(page, 'Provider', /BROWSER/)
    await page.getByRole('combobox', { name: 'Where the type is' }).fill('/detectionTyp')
    await choose(page, 'With alerts of', /all times/)
    await page.getByRole('button', { name: 'Try' }).press('Enter')
    const trial = page.getByRole('region', { name: 'Try it' })
    await trial.getByText('It would bring 1 alert.').waitFor()
    await trial.getByText('1 of 1 items have no type').waitFor()
    await trial.getByText('The skill stopped at its limit').waitFor()
    await trial.getByText(idOf('d', 1)).first().waitFor()
    await page.getByText('The first alert has no text and no number there.').waitFor()
    await page.getByRole('combobox', { name: 'Where the type is' }).fill('/detectionType')
    await page.getByText('In the first alert: PHISHING').waitFor()
    await trial.getByText('You have changed the form since').waitFor()
    for (const width of [widths.desktop, widths.phone, 360]) {
      await visits.person.resize(width)
      expect([width, await visits.person.faults()]).toEqual([width, []])
    }
    await page.getByRole('button', { name: 'Create the fetch' }).press('Enter')
    await page.getByRole('article', { name: 'Fetch Detections of <b>Acme</b>' }).waitFor()
    expect(await fetches()).toMatchObject([
      {
        name: 'Detections of <b>Acme</b>',
        organization_code: 'ACME',
        instance: 'browser-acme',
        skill: 'list_browser_detections',
        input: { created_after: '{{ since.seconds }}', max_items: 1 },
        items_at: '/detections',
        alert_provider: 'BROWSER',
        alert_type: null,
        alert_type_at: '/detectionType',
        idempotency_key_at: '/id',
        created_at_source_at: null,
        every_seconds: 60,
        overlap_seconds: 900,
        enabled: true,
        revision: 1,
      },
    ])
  })

  test('what the API refuses is at its field, which gets the focus, and goes when the field is changed', async () => {
    const { id } = await made({ name: 'Refused' })
    const page = await visits.at(`/settings/fetches/${id}/change`)
    await page.getByLabel('Interval in seconds').fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    const interval = page.getByLabel('Interval in seconds')
    await page.locator('form [aria-invalid="true"]').waitFor()
    expect(await interval.getAttribute('aria-invalid')).toBe('true')
    await page.locator('form [aria-invalid="true"]:focus').waitFor()
    await interval.fill('50')
    await page.locator('form [aria-invalid="true"]').waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: 'Input' }).fill('{"created_after": "{{ since.iso }}"}')
    await page.getByRole('button', { name: 'Try' }).click()
    await page.getByText('created_after must be integer').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('textbox', { name: 'Input' }).fill('{"created_after"')
    await page.getByText('This is not a JSON object.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('form [aria-invalid="true"]:focus').waitFor()
    expect(await request(admin, 'GET', `${path}/${id}`)).toMatchObject({ revision: 1 })
  })

  test('a change sends what differs, and what was filled in stays while somebody looks at another page', async () => {
    const { id } = await made({ name: 'Kept' })
    const page = await visits.at('/settings/fetches')
    await visits.person.choose(page.getByRole('article', { name: 'Fetch Kept' }).getByRole('button', { name: 'More …' }), 'Change …')
    await page.getByRole('textbox', { name: 'Alert type' }).fill('typed_at_3')
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByText('There is no webhook yet.').waitFor()
    await page.goBack()
    expect(await page.getByRole('textbox', { name: 'Alert type' }).inputValue()).toBe('typed_at_3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Kept is changed. It is disabled').waitFor()
    await page.getByRole('link', { name: 'New fetch …' }).waitFor()
    expect(await request(admin, 'GET', `${path}/${id}`)).toMatchObject({ alert_type: 'typed_at_3', revision: 2, name: 'Kept' })
    await page.goBack()
    await page.getByRole('textbox', { name: 'Alert type' }).fill('gone')
    await page.getByRole('button', { name: 'Discard and go back' }).click()
    await page.getByRole('link', { name: 'New fetch …' }).waitFor()
    await page.goBack()
    expect(await page.getByRole('textbox', { name: 'Alert type' }).inputValue()).toBe('typed_at_3')
  })

  test('a change of somebody else is not overwritten: it shows beside what is in the form', async () => {
    const { id } = await made({ name: 'Both' })
    const page = await visits.at(`/settings/fetches/${id}/change`)
    await page.getByRole('textbox', { name: 'Alert type' }).fill('mine')
    await request(admin, 'PATCH', `${path}/${id}`, { revision: 1, alert_type: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    const note = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this fetch' })
    await note.getByRole('row', { name: 'Alert type theirs mine' }).waitFor()
    expect(await visits.person.faults()).toEqual([])
    await note.getByRole('button', { name: 'Keep mine, then save again' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Both is changed').waitFor()
    expect(await request(admin, 'GET', `${path}/${id}`)).toMatchObject({ alert_type: 'mine', revision: 3 })
  })

  test('whoever leaves the page while a fetch is being made finds an empty form, and not the same again', async () => {
    const page = await visits.at('/settings/fetches/new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Left')
    await choose(page, 'Organization', /ACME/)
    await choose(page, 'Connection', /browser-acme/)
    await page.getByRole('combobox', { name: 'Skill' }).locator('option', { hasText: 'list_browser_detections' }).waitFor({ state: 'attached' })
    await choose(page, 'Skill', /list_browser_detections/)
    await choose(page, 'Provider', /BROWSER/)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route(`**${path}`, (route) => (route.request().method() === 'POST' ? held.then(() => route.continue()) : route.continue()))
    const sent = page.waitForRequest((sending) => sending.method() === 'POST')
    await page.getByRole('button', { name: 'Create the fetch' }).click()
    await sent
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByText('There is no webhook yet.').waitFor()
    release()
    await page.getByText('Left is created').waitFor()
    await page.getByText('There is no webhook yet.').waitFor()
    await page.goBack()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('')
  })

  test('a key that may not create alerts gets no form', async () => {
    const { key } = await request(admin, 'POST', '/platformapi/keys', { name: 'k', scopes: ['connections:read', 'connections:write'] })
    const page = await visits.at('/settings/fetches/new', { key: String(key) })
    await page.getByRole('article', { name: 'Fetch Both' }).waitFor()
    expect(await page.getByRole('link', { name: 'New fetch …' }).count()).toBe(0)
  })
})
