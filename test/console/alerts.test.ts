import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../runtime/config/index.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'
import { fillWithAlerts } from '../support/stores/many-alerts.ts'

const count = 1_200

describe.runIf(browserAtHand('alerts in the console'))('alerts in the console', () => {
  const tocsin = consoleOnApi(
    async ({ api, admin }) => {
      const { body: acme } = await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'ACME' })
      await admin('POST', '/platformapi/organizations', { code: 'GLOBEX', name: 'Globex' })
      for (const code of ['crm', 'mailgate', 'mfa', 'edr']) await admin('POST', '/platformapi/providers', { code, name: code })
      await fillWithAlerts(api.store, { id: acme.uuid, code: 'ACME' }, { count, newest: api.clock.now(), apart: 60_000, investigated: 60 })
      api.clock.advance(1_000)
    },
    { feedClock: systemClock },
  )

  const post = async (alert_content: string): Promise<string> => {
    const body = { alert_content, alert_provider: 'edr', organization_code: 'GLOBEX', alert_type: 'odd' }
    const { body: alert } = await tocsin.admin('POST', '/platformapi/alerts', body)
    await tocsin.api.handedOver()
    return alert.alert_id
  }
  const grid = () => tocsin.person.page.getByRole('grid', { name: 'Alerts' })
  const panel = () => tocsin.person.page.getByRole('region', { name: 'Alert', exact: true })

  test('the list with an alert beside it is accessible, and fits every window', async () => {
    const page = await tocsin.at('/alerts/ACME-EDR-300')
    await grid().getByText('ACME-EDR-300').waitFor()
    await panel().getByRole('heading', { name: 'Observables' }).waitFor()
    expect(await page.title()).toContain('ACME-EDR-300')
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.person.resize(widths.tablet)
    expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    await tocsin.person.resize(widths.phone)
    await panel().getByRole('heading', { name: 'Observables' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.person.visit('/alerts')
    await grid().getByText('ACME-EDR-300').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('beside an open alert in a window that is not wide, rows show name and status', async () => {
    await tocsin.at('/alerts/ACME-EDR-300', { width: widths.tablet })
    const row = grid().getByRole('row').filter({ hasText: 'ACME-EDR-300' })
    await row.waitFor()
    const list = await grid().boundingBox()
    const status = await row.locator('[class*="Badge-root"]').boundingBox()
    expect(status!.x + status!.width).toBeLessThanOrEqual(list!.x + list!.width)
    expect(await grid().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await panel().getByRole('button', { name: 'Close the alert' }).click()
    await tocsin.person.page.getByRole('columnheader', { name: 'STATUS' }).waitFor()
  })

  test('the columns are those of the specification, in its words and order, and people choose among them', async () => {
    const page = await tocsin.at('/alerts')
    await grid().getByText('ACME-EDR-300').waitFor()
    const headings = async () => (await grid().getByRole('columnheader').allTextContents()).filter((text) => text !== '')
    expect(await headings()).toEqual([
      ...['ID', 'ORG', 'PROVIDER', 'ALERT NAME', 'STATUS', 'CREATION TIME', 'INVESTIGATOR', 'CASE ID', 'COMPLETION TIME', 'Content'],
    ])
    await page.getByRole('button', { name: 'Choose columns' }).click()
    await page.getByRole('checkbox', { name: 'Content' }).uncheck()
    await page.keyboard.press('Escape')
    expect(await headings()).not.toContain('Content')
    await page.reload()
    await grid().getByText('ACME-EDR-300').waitFor()
    expect(await headings()).not.toContain('Content')
  })

  test('an error says what to do in the console, and names no address of the API', async () => {
    const page = await tocsin.at('/alerts?organization=NOBODY')
    const note = page.getByRole('main').getByRole('alert')
    await note.getByText('All codes are in Settings, Organizations.').waitFor()
    expect(await note.textContent()).not.toContain('platformapi')
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('a time that clocks show twice has its offset', async () => {
    const page = await tocsin.at('/alerts', { once: true })
    const times = [0, 1, 2].map((hour) => Date.UTC(2026, 9, 25, hour, 30))
    await page.route('**/platformapi/alerts?*', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { readonly items: readonly object[] }
      await route.fulfill({ response, json: { items: times.map((created_at, at) => ({ ...body.items[at], created_at })), next_cursor: null } })
    })
    await page.reload()
    await grid().locator('time').first().waitFor()
    const shown = (await grid().locator('time').allTextContents()).map((text) => text.replace(' 2026', ''))
    expect(shown).toEqual(expect.arrayContaining(['25 Oct, 02:30:00 GMT+2', '25 Oct, 02:30:00 GMT+1', '25 Oct, 03:30:00']))
    const cut = grid()
      .locator('.list-cell:has(> time)')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight).length)
    expect(await cut).toBe(0)
    await page.unrouteAll()
    await tocsin.person.visit(`/alerts?created_from=${times[0]}&created_to=${times[1]}`)
    await page.getByText('From 25 Oct 2026, 02:30:00 GMT+2').waitFor()
    await page.getByText('Before 25 Oct 2026, 02:30:00 GMT+1').waitFor()
  })

  test.each(['(', '((', '—'])('a search for %s, in which there is no word, says what to type, and hides nothing', async (text) => {
    const page = await tocsin.at('/alerts')
    const search = page.getByRole('textbox', { name: 'Search alerts' })
    await search.fill(text)
    await page.waitForURL(`**/console/alerts?${new URLSearchParams({ q: text })}`)
    await page.getByText('The search looks for words. Type a letter or a digit.').waitFor()
    expect(await search.getAttribute('aria-invalid')).toBe('true')
    await page.reload()
    await page.getByText('The search looks for words. Type a letter or a digit.').waitFor()
    await grid().getByText('ACME-EDR-300').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByLabel('What to go to').fill(text)
    await page.getByText('Nothing found').first().waitFor()
    expect(await page.getByRole('button', { name: 'All alerts with' }).count()).toBe(0)
  })

  test('rows have their own height again after the window was as narrow as a phone', async () => {
    const page = await tocsin.at('/alerts')
    await page.getByText('ACME-EDR-300', { exact: true }).first().waitFor()
    const heights = () =>
      page
        .locator('[data-index]')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top).map((top, at, all) => (all[at + 1] ?? top) - top))
    await tocsin.person.resize(widths.phone)
    await expect.poll(async () => Math.max(...(await heights()))).toBeGreaterThan(50)
    await tocsin.person.resize(widths.desktop)
    await expect.poll(async () => Math.max(...(await heights()))).toBeLessThan(50)
  })

  test('filters, search and sort are in the address, and the count follows them', async () => {
    const page = await tocsin.at('/alerts?organization=ACME')
    await page.getByText('1,200 alerts').waitFor()
    await page.getByPlaceholder('Any status').click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('8 alerts').waitFor()
    expect(new URL(page.url()).searchParams.getAll('status')).toEqual(['Failed'])
    await page.getByRole('button', { name: 'Remove all filters' }).click()
    await page.getByLabel('Search alerts').fill('user7@example.com')
    await page.waitForURL('**/alerts?q=user7*')
    await page.getByRole('button', { name: 'CREATION TIME' }).click()
    await page.waitForURL('**sort=created_at*')
    await grid().getByRole('row').nth(1).getByText('ACME-EDR-2', { exact: true }).waitFor()
    await page.reload()
    expect(await page.getByLabel('Search alerts').inputValue()).toBe('user7@example.com')
    await grid().getByRole('row').nth(1).getByText('ACME-EDR-2', { exact: true }).waitFor()
  })

  test('views are saved under a name, in this browser', async () => {
    const page = await tocsin.at('/alerts')
    await page.getByRole('button', { name: 'All alerts' }).click()
    await page.getByRole('menuitem', { name: 'Failed', exact: true }).click()
    await page.waitForURL('**/alerts?status=Failed')
    await page.getByRole('button', { name: 'Failed', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByLabel('Name').fill('My night')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await tocsin.person.visit('/alerts')
    await page.getByRole('button', { name: 'All alerts' }).click()
    await page.getByRole('menuitem', { name: 'My night' }).click()
    await page.waitForURL('**/alerts?status=Failed')
  })

  test('with the keyboard: move, open, go on to the next, and close', async () => {
    const page = await tocsin.at('/alerts')
    await grid().getByText('ACME-EDR-300').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.waitForURL('**/alerts/*')
    const first = page.url()
    await page.keyboard.press('j')
    await page.waitForURL((address) => address.href !== first)
    await panel().getByRole('heading', { name: 'Observables' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/alerts')
    await grid().press('End')
    const last = grid().getByRole('row').last()
    await last.getByText('ACME-CRM-1', { exact: true }).waitFor()
    expect(await last.getAttribute('aria-rowindex')).toBe(String(count + 1))
    await grid().press('Home')
    await grid().getByText('ACME-EDR-300', { exact: true }).waitFor()
  })

  test('an observable leads to every alert that names it', async () => {
    const page = await tocsin.at('/alerts/ACME-EDR-300')
    await panel().getByRole('link', { name: 'user199@example.com' }).click()
    await page.waitForURL('**/alerts?contains=user199%40example.com')
    await page.getByText('3 alerts').waitFor()
    await page.getByRole('button', { name: 'Remove the filter Contains user199@example.com' }).waitFor()
  })

  test('a playbook begins with the alert that is open', async () => {
    const page = await tocsin.at('/alerts/ACME-EDR-300')
    await panel().getByRole('link', { name: 'New playbook from this alert' }).click()
    await expect.poll(() => page.getByRole('dialog').getByLabel('From an alert').inputValue()).toBe('ACME-EDR-300')
  })

  test('foreign content is text: no script runs, directions and invisible characters show, nothing grows too wide', async () => {
    const id = await post(JSON.stringify({ title: 'Suspend \u202Enimda', html: '<img src=x onerror=document.title="run">', zero: 'a\u200Bb' }))
    const page = await tocsin.at(`/alerts/${id}`)
    await panel().getByRole('heading', { name: 'Suspend [U+202E]nimda' }).waitFor()
    await panel().getByText('a[U+200B]b').waitFor()
    await panel().getByText('<img src=x').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    const long = await post('x'.repeat(60_000))
    await tocsin.person.visit(`/alerts/${long}`)
    await panel().getByRole('button', { name: 'Show more' }).waitFor()
    expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    const deep = await post(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)
    await tocsin.person.visit(`/alerts/${deep}`)
    await panel().getByText('Text, 10,000 characters').waitFor()
  })

  test('several alerts are retried at once, after a confirmation, and each has its result', async () => {
    const page = await tocsin.at('/alerts?status=Failed&organization=ACME')
    await page.getByText('8 alerts').waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByRole('button', { name: 'Retry …' }).click()
    const dialog = page.getByRole('dialog')
    const count = (state: string): Promise<number> => dialog.getByText(state, { exact: true }).count()
    await dialog.getByText('changed nothing outside').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    // One retry is done, and its answer is lost. So nobody knows what happened, and the others wait for a person.
    const lost = Promise.withResolvers<void>()
    let sent = 0
    await page.route('**/retry', async (route) => {
      sent += 1
      if (sent > 1) {
        await lost.promise
        return route.continue()
      }
      await route.fetch()
      await route.abort()
      lost.resolve()
    })
    await dialog.getByRole('button', { name: 'Retry 8 alerts' }).click()
    await dialog.getByText('Result of the retry').waitFor()
    expect(await count('unknown')).toBe(1)
    const [started, left] = [await count('started'), await count('not started')]
    expect([started + left, left > 0]).toEqual([7, true])
    expect(await tocsin.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: `Go on with ${left} alert` }).click()
    await dialog.getByRole('button', { name: `Retry ${left} alert` }).click()
    await dialog.getByText('Result of the retry').waitFor()
    expect([await count('started'), await count('unknown')]).toEqual([7, 1])
    const { body } = await tocsin.admin('GET', '/platformapi/alerts?status=Submitted&organization=ACME&limit=20')
    expect(body.items.filter((item: { investigation_retry_count: number }) => item.investigation_retry_count === 1)).toHaveLength(8)
  })

  test('another filter ends the selection, so that nothing is retried that nobody sees', async () => {
    const page = await tocsin.at('/alerts?q=edr')
    await grid().getByRole('checkbox').nth(1).check()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill('mfa')
    await page.getByText('1 selected').waitFor({ state: 'hidden' })
    await grid().getByRole('checkbox').nth(1).check()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('columnheader', { name: 'CREATION TIME' }).getByRole('button').click()
    await page.waitForURL(/sort=created_at/)
    await page.getByText('1 selected').waitFor()
  })

  test('all rows of the filter are saved as CSV, and no cell is a formula', async () => {
    await post('{"title": "=HYPERLINK(1)"}')
    const page = await tocsin.at('/alerts')
    await grid().getByText('HYPERLINK').first().waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()])
    const text = readFileSync(await download.path(), 'utf8')
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\ufeffID,ORG,PROVIDER,ALERT NAME,STATUS,CREATION TIME,INVESTIGATOR,CASE ID,COMPLETION TIME,Content')
    expect(lines.length).toBeGreaterThan(count)
    expect(text).toContain(",'=HYPERLINK(1),")
  })

  test('new alerts are announced, and shown when somebody asks', async () => {
    const page = await tocsin.at('/alerts')
    await grid().getByText('ACME-EDR-300').waitFor()
    tocsin.api.clock.advance(1_000)
    const id = await post('brand new')
    await page.getByRole('button', { name: '1 new alert', exact: true }).click()
    await grid().getByText(id).waitFor()
  })

  test('a key that may only read alerts is offered no retry and no playbook', async () => {
    const page = await tocsin.at('/alerts/ACME-EDR-300', { key: await tocsin.api.addKey(['alerts:read']) })
    await panel().getByRole('heading', { name: 'Runs' }).waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New playbook' }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })

  test('a title that is written from right to left keeps its beginning when it is cut', async () => {
    const id = await post(JSON.stringify({ title: `شركة ${'الأمن السيبراني '.repeat(20)}` }))
    const page = await tocsin.at(`/alerts?q=${encodeURIComponent('شركة')}`, { width: widths.phone })
    await grid().getByText(id).waitFor()
    const beginning = await page.evaluate(`{
      const title = document.querySelector('.list-card .foreign')
      const range = document.createRange()
      range.setStart(title.firstChild, 0)
      range.setEnd(title.firstChild, 4)
      const { left, right } = range.getBoundingClientRect()
      const box = title.parentElement.getBoundingClientRect()
      left >= box.left && right <= box.right
    }`)
    expect(beginning).toBe(true)
    expect(await tocsin.person.faults()).toEqual([])
  })
})
