import { describe, expect, test } from 'vitest'
import { addTenants, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'
import { until } from '../support/until.ts'

/** Longer than a search waits for the next key, in milliseconds. */
const afterTyping = 2_000

describe.runIf(browserAtHand('the lists of the console'))('the lists of the console', () => {
  const tocsin = consoleOnApi(async ({ api, admin }) => {
    await addTenants(admin)
    for (let at = 0; at < 40; at += 1) await openWaitingRun(api, admin)
  })

  test.each([
    ['/cases', 'Search'],
    ['/alerts', 'Search alerts'],
  ])('the search of %s keeps the focus when it begins, so that the next key still belongs to it', async (path, label) => {
    const page = await tocsin.at(path)
    const search = page.getByRole('textbox', { name: label })
    await search.click()
    await page.keyboard.type('acm')
    await page.waitForURL('**?q=acm')
    await page.keyboard.type('e 1')
    await page.waitForURL('**?q=acme+1')
    expect(await search.inputValue()).toBe('acme 1')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.waitForURL(`**/console${path}`)
    await page.keyboard.type('b')
    expect(await search.inputValue()).toBe('b')
  })

  test('a search that still waits does not lead back from the page that somebody opened meanwhile', async () => {
    const page = await tocsin.at('/cases', { once: true })
    await page.getByRole('grid', { name: 'Cases' }).waitFor()
    await page.clock.install()
    // The next page is slow to load, so the list is still there, though hidden.
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/*.js', (route) => promise.then(() => route.continue()))
    await page.getByRole('textbox', { name: 'Search' }).fill('acme')
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.clock.runFor(afterTyping)
    resolve()
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/runs')
  })

  test('whoever comes back from a case finds the list as it was: its filters, its place and its row', async () => {
    const page = await tocsin.at('/cases?severity=high')
    const list = page.getByRole('grid', { name: 'Cases' })
    const top = () => list.evaluate(({ scrollTop }) => scrollTop)
    await list.getByRole('row').nth(5).waitFor()
    await list.evaluate((element) => element.scrollTo(0, 500))
    const row = list.getByRole('row').filter({ hasText: 'ACME-9' })
    await row.getByText('Found').click()
    await page.getByRole('heading', { level: 1, name: 'ACME-9' }).waitFor()
    await page.goBack()
    await row.waitFor()
    expect(await top()).toBe(500)
    expect(await row.getAttribute('class')).toContain('current')
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'ACME-9' }).waitFor()
    await page.keyboard.press('u')
    await row.waitFor()
    expect(await top()).toBe(500)
    expect(new URL(page.url()).search).toBe('?severity=high')
    // A link leads to the beginning.
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Cases', exact: true }).click()
    await list.getByRole('row').nth(5).waitFor()
    expect(await top()).toBe(0)
  })

  test('another filter, another order and new rows begin at the top', async () => {
    const page = await tocsin.at('/cases')
    const list = page.getByRole('grid', { name: 'Cases' })
    const top = () => list.evaluate(({ scrollTop }) => scrollTop)
    const down = async (): Promise<void> => {
      await list.getByRole('row').nth(5).click()
      await page.goBack()
      await list.getByRole('row').nth(5).waitFor()
      await list.evaluate((element) => element.scrollTo(0, 500))
      await expect.poll(top).toBe(500)
    }
    const begins = async (): Promise<void> => {
      await expect.poll(top).toBe(0)
      await list.locator('[aria-rowindex="2"]').waitFor()
      expect(await list.locator('.list-row.current').count()).toBe(0)
    }
    await down()
    await page.getByRole('textbox', { name: 'Search' }).fill('acme')
    await page.waitForURL('**?q=acme')
    await begins()
    await down()
    // The browser still has these rows.
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.waitForURL('**/console/cases')
    await begins()
    await down()
    const heading = list.getByRole('button', { name: 'SEVERITY' })
    await heading.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**?sort=-severity')
    await begins()
    // Whoever sorts with the keyboard goes on from there.
    await expect.poll(() => heading.and(page.locator(':focus')).count()).toBe(1)
    await down()
    await openWaitingRun(tocsin.api, tocsin.admin)
    tocsin.api.clock.advance(200)
    await page.getByRole('button', { name: /new case/ }).click()
    await begins()
  })

  test('whoever sorts with the keyboard goes on at that heading, also if the rows come late', async () => {
    const page = await tocsin.at('/cases')
    const list = page.getByRole('grid', { name: 'Cases' })
    const answer = Promise.withResolvers<void>()
    await page.route('**/platformapi/cases?*sort=-severity*', async (route) => {
      await answer.promise
      await route.continue()
    })
    const heading = list.getByRole('button', { name: 'SEVERITY' })
    await heading.focus()
    await page.keyboard.press('Enter')
    await page.locator('main:focus').waitFor()
    answer.resolve()
    await heading.and(page.locator(':focus')).waitFor()
  })

  test('whoever signs in next is not led to the filters of the person before', async () => {
    const page = await tocsin.at('/cases?severity=high', { once: true })
    await page.getByRole('grid', { name: 'Cases' }).getByText('Found').first().click()
    await page.getByRole('heading', { level: 1, name: /^ACME-/ }).waitFor()
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('API key').fill(await tocsin.api.addKey(['cases:read']))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: /^ACME-/ }).waitFor()
    // The page may hear no keys yet when its heading shows.
    await until(async () => {
      await page.keyboard.press('u')
      return page.url().endsWith('/console/cases')
    })
  })
})
