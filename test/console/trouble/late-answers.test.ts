import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addTenants, openDecision, openWaitingRun } from '../../support/api/waiting-run.ts'
import { consoleOnApi } from '../../support/console/console-on-api.ts'
import { browserAtHand } from '../../support/processes/windows.ts'

/* A server that does not answer a change. The person must not think that it was made, or that it was not, and can go on with other work. */

describe.runIf(browserAtHand('late answers'))('a change whose answer does not come', () => {
  const tocsin = consoleOnApi(({ admin }) => addTenants(admin))

  /** Opens a page whose clock the test turns, and which holds its changes back until they are let go. */
  const opened = async (path: string) => {
    const page = await tocsin.at(path, { once: true })
    await page.clock.install()
    await page.reload()
    const gate = Promise.withResolvers<'answer' | 'cut'>()
    await page.route('**/platformapi/**', async (route) => {
      if (route.request().method() === 'GET') return route.fallback()
      return (await gate.promise) === 'answer' ? route.continue() : route.abort()
    })
    return { page, end: gate.resolve }
  }
  const notYet = (page: Page) => page.getByRole('alert').filter({ hasText: 'Tocsin has not answered yet' })

  test('after ten seconds the page says that the change may or may not have gone through, and shows its answer when it comes', async () => {
    const { caseId } = await openWaitingRun(tocsin.api, tocsin.admin)
    const { page, end } = await opened(`/cases/${caseId}`)
    const mine = page.getByRole('button', { name: 'Assign to me' })
    await mine.waitFor()
    await page.clock.pauseAt(Date.now() + 1_000)
    await mine.click()
    // The page shows what is expected.
    await mine.waitFor({ state: 'hidden' })
    await page.clock.runFor(9_000)
    expect(await notYet(page).count()).toBe(0)
    await page.clock.runFor(2_000)
    const note = notYet(page)
    await note.getByText(`Your change of case ${caseId}, sent at`).waitFor()
    await note.getByText('may or may not have gone through').waitFor()
    await note.getByText('Do not send it again yet.').waitFor()
    // Nothing pretends any more that it was done.
    await mine.waitFor()
    await page.clock.resume()
    expect(await tocsin.person.faults()).toEqual([])
    end('answer')
    await page.getByRole('alert').getByText('The late answer has come: it went through').waitFor()
    await notYet(page).waitFor({ state: 'hidden' })
    await mine.waitFor({ state: 'hidden' })
  })

  test('a dialog may be closed then, and what it would have shown is not lost silently', async () => {
    const { page, end } = await opened('/settings/keys')
    await page.getByRole('button', { name: 'New key …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await dialog.getByRole('button', { name: 'Create the key' }).click()
    await page.keyboard.press('Escape')
    await dialog.waitFor()
    await page.clock.runFor(11_000)
    await notYet(page).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    end('answer')
    await page.getByRole('alert').getByText('nobody can show you its secret any more').waitFor()
    await page.getByText('Night shift').waitFor()
  })

  test('if the answer is lost after all, the page says so, also on another page', async () => {
    const id = await openDecision(tocsin.api, await openWaitingRun(tocsin.api, tocsin.admin), { title: 'Suspend mary?' })
    const { page, end } = await opened(`/decisions/${id}`)
    await page.getByLabel('Approve').check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.clock.runFor(11_000)
    await notYet(page).getByText('Your answer to a decision').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
    end('cut')
    const note = page.getByRole('alert').filter({ hasText: 'The answer was lost' })
    await note.getByText('It may have been done all the same').waitFor()
    expect(await notYet(page).count()).toBe(0)
  })
})
