import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../runtime/config/index.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'
import { fillWithAlerts } from '../support/stores/many-alerts.ts'

describe.runIf(browserAtHand('Home of the console'))('Home of the console', () => {
  const tocsin = consoleOnApi(
    async ({ api, admin }) => {
      const { body: acme } = await admin('POST', '/platformapi/organizations', { code: 'ACME', name: 'ACME' })
      await fillWithAlerts(api.store, { id: acme.uuid, code: 'ACME' }, { count: 40, newest: api.clock.now(), apart: 60_000, investigated: 40 })
      api.clock.advance(60_000)
    },
    { feedClock: systemClock },
  )

  test('it shows what needs the person, and how the last hours went; each block leads to its list', async () => {
    const page = await tocsin.at('/home')
    await page.getByText('40 alerts. Time to verdict: half within').waitFor()
    await page.getByRole('region', { name: 'Unassigned cases' }).getByRole('link', { name: 'ACME-40' }).waitFor()
    await page.getByText('Nobody has to decide anything.').waitFor()
    await page.getByText('Nothing is paused.').waitFor()
    const table = page.getByRole('table', { name: 'Alerts per hour, by outcome' })
    await table.waitFor({ state: 'attached' })
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Hour', 'Completed', 'Failed', 'In progress'])
    expect(await tocsin.person.faults()).toEqual([])
    await page.getByRole('link', { name: 'Failed investigations: show all' }).click()
    await page.waitForURL('**/console/alerts?status=Failed')
  })

  test('a comment that mentions the person appears at once, and leads to its line in the case', async () => {
    const page = await tocsin.at('/home')
    const block = page.getByRole('region', { name: 'Mentions of me' })
    await block.getByText('No comment mentions you.').waitFor()
    const comment = (text: string) => tocsin.admin('POST', '/platformapi/cases/ACME-40/comments', { text })
    await comment('Nobody is meant')
    const text = `@test <b>look</b> \u202egnp.exe ${'w'.repeat(20)}`
    await comment(text)
    await comment(`Later. ${'An even longer text. '.repeat(50)}`)
    await block.getByText('<b>look</b> [U+202E]gnp.exe').waitFor()
    expect(await block.getByRole('listitem').count()).toBe(1)
    await block.getByRole('link', { name: 'Mentions of me: show all' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mentions of me' }).waitFor()
    await page.getByRole('link', { name: /^ACME-40/ }).click()
    await page.locator('.case-timeline > li[aria-current]:focus').getByText('<b>look</b>').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('a long title or reason takes two lines at most, in every block and window', async () => {
    const long = `Suspend ${'everybody who has signed in from there '.repeat(40)}${'w'.repeat(400)}`
    const { body: pause } = await tocsin.admin('POST', '/platformapi/pauses', { organization: 'ACME', reason: long.slice(-500) })
    onTestFinished(async () => void (await tocsin.admin('DELETE', `/platformapi/pauses/${pause.id}`)))
    for (const width of [widths.desktop, widths.phone]) {
      const page = await tocsin.at('/home', { once: true, width })
      await page.route(/platformapi\/(decisions|cases|alerts|mentions|connections)\?/, async (route) => {
        const item = {
          id: 'a',
          case_id: 'ACME-1',
          case_uuid: 'a',
          alert_id: 'ACME-1',
          entry: 'a',
          integration: 'mfa',
          severity: 'high',
          expired: true,
        }
        const texts = { title: long, alert_name: long, instance: long, text: long, by: long, expires_at: null, at: 1, created_at: 1, completed_at: 1 }
        await route.fulfill({ json: { items: [{ ...item, ...texts }], next_cursor: null } })
      })
      await page.reload()
      const items = page.locator('.home-list li')
      await expect.poll(() => items.count(), { timeout: 30_000 }).toBe(7)
      // Two lines, or for a mention two of the title and two of the text.
      const heights = await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect().height))
      expect(Math.max(...heights)).toBeLessThan(100)
      expect(heights.filter((height) => height > 60)).toHaveLength(1)
      expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    }
  })

  test('each hour of the chart has a label of its own, also in the night in which clocks go back', async () => {
    const page = await tocsin.at('/home', { once: true })
    const table = page.getByRole('table', { name: 'Alerts per hour, by outcome' })
    const labels = () => table.getByRole('rowheader').allTextContents()
    const to = Date.UTC(2026, 9, 25, 12, 30)
    await page.route('**/platformapi/statistics*', async (route) => {
      const response = await route.fetch()
      const body = (await response.json()) as { readonly alerts: object }
      const hours = Number(new URL(route.request().url()).searchParams.get('hours'))
      await route.fulfill({ response, json: { ...body, from: to - hours * 3_600_000, to } })
    })
    await page.reload()
    await table.waitFor({ state: 'attached' })
    const day = await labels()
    expect(day).toContain('Sun 25, 01:00')
    expect(day).toContain('Sun 25, 02:00 GMT+2')
    expect(day).toContain('Sun 25, 02:00 GMT+1')
    expect(day).toContain('Sun 25, 03:00')
    await page.getByText('7 days', { exact: true }).click()
    await expect.poll(labels).toHaveLength(169)
    expect(new Set(await labels()).size).toBe(169)
  })

  test('what the key may not read is left out', async () => {
    const page = await tocsin.at('/home', { key: await tocsin.api.addKey(['alerts:read']) })
    await page.getByText('Time to verdict').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Failed investigations', 'Alerts per hour'])
  })
})
