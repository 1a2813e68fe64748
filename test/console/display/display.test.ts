import { describe, expect, test } from 'vitest'
import { type Run, systemScope } from '../../../runtime/domain/index.ts'
import { addTenants, openWaitingRun } from '../../support/api/waiting-run.ts'
import { consoleOnApi } from '../../support/console/console-on-api.ts'
import { browserAtHand } from '../../support/processes/windows.ts'

/* How people set up their browser, and paper. */

describe.runIf(browserAtHand('how the console is displayed'))('how the console is displayed', () => {
  let run: Run
  const tocsin = consoleOnApi(async ({ api, admin }) => {
    await addTenants(admin)
    run = await openWaitingRun(api, admin)
    await openWaitingRun(api, admin)
    await api.store.cases.record(systemScope, run.case, null, {
      key: 'finding',
      at: api.clock.now(),
      actor: { run: run.id, step: 'finding' },
      body: { kind: 'finding', title: 'A sign-in from abroad', risk: 'high', evidence: { from: '203.0.113.9', text: 'w'.repeat(3_000) } },
    })
  })

  test('with a zoom of 400 %, an alert and the board can be read, and the bar covers no heading', async () => {
    const { body: pause } = await tocsin.admin('POST', '/platformapi/pauses', { organization: 'ACME' })
    const page = await tocsin.at(`/alerts/${run.alert}`, { width: 320 })
    await page.setViewportSize({ width: 320, height: 256 })
    const beside = page.getByRole('region', { name: 'Alert', exact: true })
    await beside.getByRole('region', { name: 'Duplicates' }).waitFor()
    // The page scrolls, and not a strip of it.
    expect(await beside.evaluate((panel) => panel.scrollHeight - panel.clientHeight)).toBeLessThanOrEqual(0)
    await page.getByRole('link', { name: 'Paused' }).filter({ visible: true }).waitFor()
    const search = await page.getByRole('button', { name: 'Go to anything' }).filter({ visible: true }).boundingBox()
    expect((search?.y ?? 0) + (search?.height ?? 256)).toBeLessThanOrEqual(48)
    expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    await tocsin.person.visit('/cases?view=board')
    await page.getByRole('article', { name: run.caseId }).waitFor({ state: 'attached' })
    for (const cards of await page.locator('.board-cards').all()) expect((await cards.boundingBox())?.height).toBeGreaterThan(100)
    expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    await tocsin.admin('DELETE', `/platformapi/pauses/${pause.id}`)
  })

  test('with text twice as large, the rows of a list are higher and its columns are wider', async () => {
    const page = await tocsin.at('/cases', { key: null, once: true })
    const sizes = (): Promise<readonly number[]> =>
      page
        .locator('.list-row')
        .first()
        .evaluate((row) => [row.clientHeight, row.firstElementChild?.clientWidth ?? 0])
    await tocsin.person.signIn(tocsin.api.admin)
    const [height = 0, width = 0] = await sizes()
    await page.addInitScript(`document.onreadystatechange = () => { document.documentElement.style.fontSize = '200%' }`)
    await page.reload()
    expect(await sizes()).toEqual([height * 2 + 1, width * 2])
    // The next row begins where this one ends.
    const [one, two] = await page.locator('.list-row').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().y))
    expect((two ?? 0) - (one ?? 0)).toBe(height * 2 + 2)
  })

  test('with forced colours, what is chosen can be seen', async () => {
    const page = await tocsin.at('/cases')
    await page.emulateMedia({ forcedColors: 'active' })
    await page.getByRole('grid', { name: 'Cases' }).press('ArrowDown')
    const looks = (selector: string): Promise<readonly string[]> =>
      page.evaluate(`[...new Set([...document.querySelectorAll('${selector}')].map((one) => {
        const { backgroundColor, borderLeftWidth } = getComputedStyle(one)
        return backgroundColor + ' ' + borderLeftWidth
      }))]`)
    for (const selector of ['nav a.place', '.mantine-SegmentedControl-label', '.list-row']) expect(await looks(selector)).toHaveLength(2)
  })

  test('a case is printed in the light theme, with all its evidence', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' })
    await page.getByText('Evidence').first().waitFor()
    await page.evaluate(`addEventListener('beforeprint', () => {
      const { color } = getComputedStyle(document.body)
      globalThis.printed = [color, document.querySelector('.finding pre')?.getBoundingClientRect().height]
    })`)
    const screen = await page.evaluate('getComputedStyle(document.body).color')
    await page.pdf()
    expect(screen).toBe('rgb(213, 217, 223)')
    expect(await page.evaluate('globalThis.printed[0]')).toBe('rgb(0, 0, 0)')
    expect(await page.evaluate('getComputedStyle(document.body).color')).toBe(screen)
    await page.emulateMedia({ media: 'print' })
    expect((await page.locator('.finding pre').first().boundingBox())?.height).toBeGreaterThan(100)
    expect(
      await page
        .locator('.finding .block')
        .first()
        .evaluate((block) => block.scrollHeight - block.clientHeight),
    ).toBeLessThanOrEqual(0)
    await page.emulateMedia({ media: null })
  })
})
