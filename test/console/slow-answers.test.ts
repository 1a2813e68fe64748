import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'

/* A server that takes its time: whoever is impatient must still learn what became of a change. */

describe.runIf(browserAtHand('slow answers'))('dialogs while the server takes its time', () => {
  const tocsin = consoleOnApi(({ admin }) => addTenants(admin))

  /** Holds the changes of a path back until they are let go, with the answer of the server or without one. */
  const hold = async (page: Page, path: string) => {
    const gate = Promise.withResolvers<'answer' | 'cut'>()
    const sent: string[] = []
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      sent.push(route.request().method())
      return (await gate.promise) === 'answer' ? route.continue() : route.abort()
    })
    return { sent, end: gate.resolve }
  }
  /** Does what impatient people do. */
  const leave = async (page: Page, button: string): Promise<void> => {
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByRole('button', { name: button, exact: true }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: 'Close', exact: true }).click({ force: true })
    expect(await tocsin.person.faults()).toEqual([])
  }

  test('the key that somebody waits for impatiently is shown all the same', async () => {
    const page = await tocsin.at('/settings/keys')
    const { sent, end } = await hold(page, '/platformapi/keys')
    await page.getByRole('button', { name: 'New key …' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await page.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click()
    await leave(page, 'Cancel')
    end('answer')
    const shown = page.getByRole('dialog', { name: 'The key of Night shift' })
    expect(await shown.locator('pre').textContent()).toMatch(/^tsk_/)
    expect(sent).toEqual(['POST'])
  })

  test('a pause of everything whose answer is lost does not vanish', async () => {
    const page = await tocsin.at('/settings/pauses')
    const { end } = await hold(page, '/platformapi/pauses')
    await page.getByRole('button', { name: 'Pause everything …' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Wrong suspensions')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause everything' }).click()
    await leave(page, 'Cancel')
    end('cut')
    await page.getByRole('dialog').getByText('It may have been done all the same').waitFor()
    expect(await page.getByRole('dialog').getByLabel('Reason').inputValue()).toBe('Wrong suspensions')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('a case that closes slowly, and a run that is cancelled slowly, keep their dialogs and what was typed', async () => {
    const { caseId, id } = await openWaitingRun(tocsin.api, tocsin.admin)
    const page = await tocsin.at(`/cases/${caseId}`)
    const dialog = page.getByRole('dialog')
    const closing = await hold(page, `/platformapi/cases/${caseId}`)
    await page.getByRole('button', { name: 'Close …' }).click()
    await dialog.getByLabel('Disposition').selectOption('malicious')
    await dialog.getByRole('button', { name: 'Close the case' }).click()
    await leave(page, 'Cancel')
    closing.end('cut')
    await page.getByText(`${caseId} was not closed`).waitFor()
    await page.getByRole('button', { name: 'Close the message' }).click()
    await tocsin.person.visit(`/runs/${id}`)
    const cancelling = await hold(page, `/platformapi/runs/${id}/cancel`)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await dialog.getByLabel('Reason').fill('Wrong alert')
    // A click beside the dialog must not throw away what was typed.
    await page.mouse.click(5, 5)
    await dialog.getByRole('button', { name: 'Cancel the run' }).click()
    await leave(page, 'Let it go on')
    cancelling.end('answer')
    await page.getByText('The run is cancelled').waitFor()
    await dialog.waitFor({ state: 'hidden' })
  })

  test('what became of a change shows at once, also while nothing can be read', async () => {
    const id = await openDecision(tocsin.api, await openWaitingRun(tocsin.api, tocsin.admin), { title: 'Suspend mary?' })
    const page = await tocsin.at(`/decisions/${id}`)
    const deaf = (): Promise<unknown> =>
      page.route('**/platformapi/**', (route) => (route.request().method() === 'GET' ? new Promise(() => {}) : route.continue()))
    await page.getByLabel('Approve').check()
    await page.getByLabel('Reason').fill('Seen in the log')
    await deaf()
    await tocsin.admin('POST', `/platformapi/decisions/${id}`, { verdict: 'decline' })
    await page.getByRole('button', { name: 'Approve' }).click()
    await page
      .getByRole('alert')
      .getByText(/decision_(answered|closed)/)
      .waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('Seen in the log')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await tocsin.person.visit('/settings/keys')
    await page.getByRole('button', { name: 'New key …' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Day shift')
    await deaf()
    await page.getByRole('dialog').getByRole('button', { name: 'Create the key' }).click()
    await page.getByRole('dialog', { name: 'The key of Day shift' }).waitFor()
  })
})
