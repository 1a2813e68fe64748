import type { Locator, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import {
  type AlertFetch,
  asId,
  type Connection,
  type ConnectionId,
  type FetchAttempt,
  newFetchState,
  type OrganizationId,
  systemScope,
} from '../../../runtime/domain/index.ts'
import { newFetch } from '../../conformance/storage/fetches/made.ts'
import { addTenants } from '../../support/api/waiting-run.ts'
import { consoleOnApi } from '../../support/console/console-on-api.ts'
import { widths } from '../../support/processes/person.ts'
import { browserAtHand } from '../../support/processes/windows.ts'

describe.runIf(browserAtHand('fetches'))('fetches in the console', () => {
  let acme: OrganizationId
  const connection = asId<ConnectionId>('01900000-0000-7000-8000-000000000001')
  const tocsin = consoleOnApi(async ({ api, admin }) => {
    await addTenants(admin)
    acme = (await admin('GET', '/platformapi/organizations')).body.items[0].uuid
    const standing: Partial<Connection> = { id: connection, organization: acme, instance: 'edr <b>1</b>', integration: 'browser', revision: 1 }
    await api.store.connections.create(systemScope, { ...standing, secrets: {} } as Connection)
  })
  const card = (name: string): Locator => tocsin.person.page.getByRole('article', { name: `Fetch ${name}` })
  const message = (text: string): Locator => tocsin.person.page.getByRole('alert').filter({ hasText: text })

  async function add(name: string): Promise<AlertFetch> {
    const fetch = newFetch(acme, { name, connection, input: { created_after: '{{ since.seconds }}' } })
    await tocsin.api.store.fetches.create(systemScope, fetch, newFetchState(tocsin.api.clock.now()))
    return fetch
  }
  /** Ends an attempt as a worker would, and lets the feed tell so. The next one is due in a minute. */
  async function attempt({ id }: AlertFetch, failure: FetchAttempt['failure']): Promise<void> {
    const { store, clock } = tocsin.api
    const now = clock.now()
    await store.fetches.hurry(systemScope, id, 0)
    await store.fetches.lease(systemScope, id, { holder: 'test', duration: 60_000 })
    const last: FetchAttempt = { endedAt: now, since: now - 60_000, until: now, found: 7, fresh: 4, repeated: 2, changed: 1, failure }
    const state = failure === null ? { ...newFetchState(now), fetchedAt: now, last } : { ...newFetchState(now), failures: 2, last }
    await store.fetches.settle(systemScope, id, 'test', state, 60_000)
    clock.advance(200)
  }
  const due = () => tocsin.api.store.fetches.due(systemScope, 10)

  test('without fetches, the page says what they are for, and how to make one', async () => {
    const page = await tocsin.at('/settings/fetches')
    await page.getByText('Nothing is fetched yet.').waitFor()
    await page.getByText('tocsin fetch add <file>').waitFor()
    await page.getByRole('link', { name: 'New fetch …' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('what an attempt brought shows at once, and why it failed', async () => {
    const fetch = await add('EDR of <i>Acme</i>')
    const page = await tocsin.at('/settings/fetches')
    const shown = card(fetch.name)
    await shown.getByText('New', { exact: true }).waitFor()
    await page.locator('.live:visible', { hasText: 'Live' }).waitFor()
    await tocsin.api.store.fetches.lease(systemScope, fetch.id, { holder: 'test', duration: 60_000 })
    await page.reload()
    await shown.getByText('An attempt is under way. It began').waitFor()
    await tocsin.api.store.fetches.settle(systemScope, fetch.id, 'test', newFetchState(tocsin.api.clock.now()), 0)
    await page.reload()
    await shown.getByText('No attempt has fetched').waitFor()
    expect(await shown.getByText('under way').count()).toBe(0)
    await page.locator('.live:visible', { hasText: 'Live' }).waitFor()
    await attempt(fetch, null)
    await shown.getByText('Works').waitFor()
    await shown.getByText('7 found, 4 new, 2 repeated, 1 changed').waitFor()
    await attempt(fetch, { code: 'vendor_unavailable', message: 'The platform answered 503.', remedy: 'Look at its status page.' })
    await shown.getByText('Fails').waitFor()
    await shown.getByText('The platform answered 503.').waitFor()
    await shown.getByRole('button', { name: 'Details' }).press('Enter')
    await shown.getByText('Look at its status page.').waitFor()
    await shown.getByText('2 attempts in a row have failed.').waitFor()
    await shown.getByText('/detections').waitFor()
    await shown.getByRole('region', { name: 'Input of the skill' }).getByText('{{ since.seconds }}').waitFor()
    const link = shown.getByRole('link', { name: 'edr <b>1</b>' })
    expect(await link.getAttribute('href')).toBe(`/console/integrations/browser/connections/${connection}`)
    for (const width of [widths.desktop, widths.phone]) {
      await tocsin.person.resize(width)
      expect([width, await tocsin.person.faults()]).toEqual([width, []])
    }
  })

  test('a fetch is asked to begin, disabled, and removed after a confirmation, with the keyboard', async () => {
    const fetch = await add('Mail of Acme')
    await attempt(fetch, null)
    expect(await due()).not.toContain(fetch.id)
    // An attempt begins no sooner than this after the last one.
    tocsin.api.clock.advance(10_000)
    const page = await tocsin.at('/settings/fetches')
    const shown = card(fetch.name)
    await shown.getByRole('button', { name: 'Fetch now' }).press('Enter')
    await page.getByText('The next attempt of Mail of Acme begins within ten seconds').waitFor()
    expect(await due()).toContain(fetch.id)

    const choose = (item: string): Promise<void> => tocsin.person.choose(shown.getByRole('button', { name: 'More …' }), item)
    await choose('Disable')
    await shown.getByText('Disabled').waitFor()
    await shown.getByRole('button', { name: 'Fetch now' }).waitFor({ state: 'hidden' })
    await choose('Enable')
    await message('The fetch was not changed').getByText('No plugin "browser" is loaded.').waitFor()
    await message('The fetch was not changed').getByRole('button', { name: 'Close the message' }).press('Enter')
    await choose('Remove …')
    const dialog = page.getByRole('dialog', { name: 'Remove the fetch' })
    await dialog.getByText('Those that it has brought stay').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    expect(await tocsin.api.store.fetches.get(systemScope, fetch.id)).not.toBeNull()
    await choose('Remove …')
    await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
    await shown.waitFor({ state: 'hidden' })
    expect(await tocsin.api.store.fetches.get(systemScope, fetch.id)).toBeNull()
  })

  test('a change of somebody else is not overwritten: the page says so, shows it, and then changes that', async () => {
    const fetch = await add('Cloud of Acme')
    const page = await tocsin.at('/settings/fetches')
    // They are quicker by the time that a request needs.
    const quicker = async (route: Route): Promise<void> => {
      await tocsin.api.opened.fetches.revise(systemScope, { ...fetch, name: 'Cloud of theirs', revision: 2 }, null)
      await route.continue()
    }
    await page.route(`**/platformapi/fetches/${fetch.id}`, quicker, { times: 1 })
    const disable = async (name: string): Promise<void> => {
      await card(name).getByRole('button', { name: 'More …' }).click()
      await page.getByRole('menuitem', { name: 'Disable' }).click()
    }
    await disable(fetch.name)
    await message('The fetch was not changed').getByText('The fetch was changed in the meantime.').waitFor()
    await disable('Cloud of theirs')
    await card('Cloud of theirs').getByText('Disabled').waitFor()
    const known = await tocsin.api.store.fetches.get(systemScope, fetch.id)
    expect(known?.fetch).toMatchObject({ name: 'Cloud of theirs', revision: 3, enabled: false })
  })

  test('a key that only reads is offered no change', async () => {
    const page = await tocsin.at('/settings/fetches', { key: await tocsin.api.addKey(['connections:read'], [acme]) })
    await card('Cloud of theirs').getByRole('button', { name: 'Details' }).waitFor()
    expect(await page.getByRole('button', { name: /Fetch now|More/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New fetch …' }).count()).toBe(0)
  })
})
