import { describe, expect, test } from 'vitest'
import { addTenants } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

describe.runIf(browserAtHand('the frame of the console'))('the frame of the console', () => {
  const tocsin = consoleOnApi()

  test('the sign-in form and the page of all components are accessible, and fit every window', async () => {
    const page = await tocsin.at('/gallery', { key: null })
    const form = page.getByLabel('API key', { exact: true })
    await form.waitFor()
    for (const width of Object.values(widths)) {
      await tocsin.person.resize(width)
      expect(await tocsin.person.faults()).toEqual([])
    }
    await tocsin.person.signIn(tocsin.api.admin)
    await page.getByRole('heading', { name: 'Components' }).waitFor()
    for (const width of Object.values(widths)) {
      await tocsin.person.resize(width)
      expect(await tocsin.person.faults()).toEqual([])
    }
  })

  test('in a narrow window, the keyboard reaches the navigation only while it is open', async () => {
    const page = await tocsin.at('/decisions', { width: widths.phone })
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    await page.getByRole('button', { name: 'Go to anything' }).filter({ visible: true }).focus()
    await page.keyboard.press('Tab')
    await page.locator('main :focus').waitFor()
    const menu = page.getByRole('button', { name: 'Open the navigation' })
    await menu.press('Enter')
    await page.getByRole('link', { name: 'Cases' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Decisions' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Signed in as' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Cases' }).press('Enter')
    await page.getByRole('main', { name: 'Cases' }).and(page.locator(':focus')).waitFor()
    expect(await page.getByRole('link', { name: 'Cases' }).isVisible()).toBe(false)
  })

  test('keys lead to every page, and ? lists them', async () => {
    const page = await tocsin.at('/decisions')
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    await page.keyboard.press('Shift+?')
    const list = page.getByRole('dialog', { name: 'Shortcuts' })
    await list.getByText('Go to Alerts').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    // Keys do nothing behind a dialog.
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    expect(new URL(page.url()).pathname).toBe('/console/decisions')
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'hidden' })
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.waitForURL('**/console/alerts')
  })

  test('if the files of the palette are gone after an update, the page stays, and reloading is offered', async () => {
    const page = await tocsin.at('/decisions')
    const heading = page.getByRole('heading', { name: 'Decisions' })
    await heading.waitFor()
    await page.route('**/console/files/*.js', (route) => route.fulfill({ status: 404 }))
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Go to anything' })
    await palette.getByRole('button', { name: 'Load the page again' }).waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    expect(await heading.isVisible()).toBe(true)
    // The browser says so, too.
    expect(tocsin.person.complaints.splice(0)).toEqual([expect.stringContaining('Failed to fetch dynamically imported module')])
    await page.unroute('**/console/files/*.js')
  })

  test('keys do nothing while somebody types, or if they are turned off', async () => {
    const page = await tocsin.at('/decisions')
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    await page.keyboard.press('Shift+?')
    await page.getByRole('switch', { name: 'Single keys are shortcuts' }).press('Space')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Shift+?')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    expect(new URL(page.url()).pathname).toBe('/console/decisions')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('every page says that something is paused, and leads to the pauses', async () => {
    await addTenants(tocsin.admin)
    const page = await tocsin.at('/decisions')
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    expect(await page.getByRole('link', { name: /pause/ }).count()).toBe(0)
    const pause = async (body: object): Promise<string> => (await tocsin.admin('POST', '/platformapi/pauses', body)).body.id
    const ids = [await pause({ organization: 'ACME' })]
    await page.reload()
    await page.getByRole('link', { name: '1 pause' }).filter({ visible: true }).waitFor()
    ids.push(await pause({ reason: 'Wrong suspensions' }))
    await page.reload()
    const sign = page.getByRole('link', { name: 'Everything is paused' })
    for (const width of Object.values(widths)) {
      await tocsin.person.resize(width)
      await sign.filter({ visible: true }).waitFor()
      expect(await tocsin.person.faults()).toEqual([])
    }
    await sign.filter({ visible: true }).click()
    await page.waitForURL('**/console/settings/pauses')
    for (const id of ids) await tocsin.admin('DELETE', `/platformapi/pauses/${id}`)
    await page.reload()
    await page.getByText('Nothing is paused').waitFor()
    expect(await sign.count()).toBe(0)
    const reader = await tocsin.at('/decisions', { key: await tocsin.api.addKey(['decisions:read']) })
    await reader.getByRole('heading', { name: 'Decisions' }).waitFor()
  })

  test('a page that the key may not see is not offered, and its address says what is missing', async () => {
    const page = await tocsin.at('/decisions', { key: await tocsin.api.addKey(['alerts:read']) })
    await page.getByRole('heading', { name: 'Your key may not see this page' }).waitFor()
    await page.getByText('decisions:read').waitFor()
    expect(await page.getByRole('link', { name: 'Alerts' }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Decisions' }).count()).toBe(0)
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('an address without a page says so, and leads back', async () => {
    const page = await tocsin.at('/no/such/page')
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    await page.getByRole('link', { name: 'Go to the first page' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
  })

  test('on a phone, each cell of a short table follows its heading, and nothing is outside the window', async () => {
    const page = await tocsin.at('/gallery', { width: widths.phone })
    const place = async (name: string): Promise<{ x: number; y: number; width: number; height: number }> => {
      const box = await page.getByRole('cell', { name }).boundingBox()
      if (box === null) throw new Error(`the cell ${name} does not show`)
      return box
    }
    // Its heading belongs to the name of a cell, also for a screen reader.
    const [target, outcome] = [await place('Target ada@example.com'), await place('Outcome done')]
    expect(outcome.y).toBeGreaterThanOrEqual(target.y + target.height)
    for (const { x, width } of [target, outcome]) expect(x + width).toBeLessThanOrEqual(widths.phone)
    await tocsin.person.resize(widths.desktop)
    expect((await place('done')).y).toBe((await place('ada@example.com')).y)
  })

  test('rows of a list are reached with the keyboard, far beyond what is drawn', async () => {
    const page = await tocsin.at('/gallery')
    const list = page.getByRole('grid', { name: 'Samples' })
    await list.focus()
    await page.keyboard.press('End')
    await list.getByText('Row 500').waitFor()
    expect(await list.getByRole('row').count()).toBeLessThan(60)
    await page.keyboard.press('Enter')
    await list.locator('.list-row.opened', { hasText: 'Row 500' }).waitFor()
  })
})
