import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Run } from '../../runtime/domain/index.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'

describe.runIf(browserAtHand('forms of the console'))('forms of the console', () => {
  let run: Run
  const tocsin = consoleOnApi(async ({ api, admin }) => {
    await addTenants(admin)
    run = await openWaitingRun(api, admin)
  })
  /** Waits until the element has the focus. */
  const focused = (place: Locator): Promise<void> => place.and(place.page().locator(':focus')).waitFor()
  /** Holds the answers to an address until the returned function is called. */
  const hold = async (page: Page, address: string): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(address, (route) => promise.then(() => route.continue()))
    return resolve
  }

  test('when a dialog closes, the focus is where it was', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    for (const name of ['Close …', 'Link or merge …']) {
      const button = page.getByRole('button', { name })
      await button.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').locator(':focus').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await focused(button)
    }
    // One dialog after the other: the form, and the key that is shown once.
    await tocsin.person.visit('/settings/keys')
    const button = page.getByRole('button', { name: 'New key …' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await focused(button)
    // What opened the dialog is gone: the next key begins at what was around it.
    await page.getByRole('button', { name: 'Revoke Ada …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await focused(page.getByRole('region', { name: 'API keys' }))
  })

  test('when what has the focus goes away, the focus goes to what was around it, or to the next page', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Called the user.')
    await page.getByRole('button', { name: 'Comment', exact: true }).press('Enter')
    await page.getByRole('status').filter({ hasText: 'Your comment is in the timeline.' }).waitFor()
    await focused(comment)
    await page.getByRole('button', { name: 'Assign to me' }).press('Enter')
    await focused(page.getByRole('region', { name: 'Fields' }))
    // A button that is disabled until the answer comes, and a refused answer.
    await tocsin.person.visit(`/decisions/${await openDecision(tocsin.api, run, { title: 'Suspend lise?' })}`)
    await page.route('**/platformapi/decisions/*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
    await page.getByRole('radio', { name: 'Decline' }).press('Space')
    await page.getByRole('textbox', { name: 'Reason' }).press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'Tocsin does not answer' }).first().waitFor()
    await focused(page.getByRole('textbox', { name: 'Reason' }))
    await page.unroute('**/platformapi/decisions/*')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('status').filter({ hasText: 'Your answer is recorded.' }).waitFor()
    await focused(page.getByRole('main', { name: 'Suspend lise?' }))
    // Another page, one of its rows, and back.
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await focused(page.getByRole('main', { name: 'Cases' }))
    const list = page.getByRole('grid', { name: 'Cases' })
    await list.press('ArrowDown')
    await page.keyboard.press('Enter')
    await focused(page.getByRole('main', { name: run.caseId }))
    await page.goBack()
    await focused(list)
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.admin('PATCH', `/platformapi/cases/${run.caseId}`, { assignee: null })
  })

  test('when a session ends, what was typed and the focus stay, also in a dialog', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    const refused = { code: 'key_invalid', status: 401, title: 'The key is not valid', detail: 'It was revoked.', remedy: 'Sign in again.' }
    const sign = async (send: () => Promise<void>): Promise<void> => {
      await page.route('**/platformapi/**', (route) => route.fulfill({ status: 401, json: refused }))
      await send()
      const form = page.getByRole('dialog', { name: 'Sign in again' })
      await focused(form.getByLabel('API key'))
      await page.unrouteAll()
      await page.keyboard.insertText(tocsin.api.admin)
      await page.keyboard.press('Enter')
      await form.waitFor({ state: 'hidden' })
    }
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Called her')
    await sign(() => comment.press('Control+Enter'))
    await focused(comment)
    expect(await comment.inputValue()).toBe('Called her')
    await page.getByRole('button', { name: 'Close …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Disposition').selectOption('malicious')
    await sign(() => dialog.getByRole('button', { name: 'Close the case' }).click())
    await dialog
      .locator(':focus')
      .or(dialog.and(page.locator(':focus')))
      .waitFor()
    expect(await dialog.getByLabel('Disposition').inputValue()).toBe('malicious')
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('a double click sends once, and what somebody types meanwhile stays', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    const task = page.getByRole('textbox', { name: 'New task' })
    await task.fill('Call Ada')
    const answer = await hold(page, '**/tasks')
    await page.getByRole('button', { name: 'Add', exact: true }).dblclick()
    await task.press('End')
    await task.pressSequentially(', then Bob')
    answer()
    await page.getByRole('checkbox', { name: 'Done: Call Ada' }).waitFor()
    expect(await task.inputValue()).toBe(', then Bob')
    expect(sent).toEqual(['tasks'])

    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('She is away.')
    const added = await hold(page, '**/comments')
    await comment.press('Control+Enter')
    await comment.press('Control+Enter')
    await comment.press('End')
    await comment.pressSequentially(' Until Monday.')
    added()
    await page.getByText('She is away.', { exact: true }).last().waitFor()
    await expect.poll(() => comment.inputValue()).toBe('Until Monday.')
    expect(sent).toEqual(['tasks', 'comments'])
  })

  test('if the session ends while a dialog is open, the form to sign in is above it, and the dialog stays', async () => {
    const page = await tocsin.at('/settings/webhooks')
    await page.getByRole('button', { name: 'New webhook …' }).click()
    const dialog = page.getByRole('dialog', { name: 'New webhook' })
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://receiver.example/hook')
    const problem = { title: 'Not signed in', status: 401, code: 'key_rejected', detail: 'The key is not valid.', remedy: 'Sign in.' }
    await page.route('**/platformapi/webhooks', (route) => route.fulfill({ status: 401, json: problem }))
    await dialog.getByRole('button', { name: 'Create' }).click()
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByLabel('API key', { exact: true }).fill(tocsin.api.admin)
    await page.unroute('**/platformapi/webhooks')
    await again.getByRole('button', { name: 'Sign in' }).click()
    await again.waitFor({ state: 'hidden' })
    expect(await dialog.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('https://receiver.example/hook')
  })

  test('what somebody does without a network fails at once, says that it may have been done, and is not sent later', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    const sent: string[] = []
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Suspended by phone.')
    await page.route('**/comments', (route) => {
      sent.push(route.request().url())
      return route.abort()
    })
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await comment.press('Control+Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'The comment was not added, or only the answer was lost' })
    await alert.getByText('It may have been done all the same').waitFor()
    await page.unroute('**/comments')
    await page.evaluate("dispatchEvent(new Event('online'))")
    await expect.poll(() => comment.inputValue()).toBe('Suspended by phone.')
    expect(sent).toHaveLength(1)
    expect((await tocsin.admin('GET', `/platformapi/cases/${run.caseId}/timeline?kind=comment`)).body['items']).not.toContainEqual(
      expect.objectContaining({ text: 'Suspended by phone.' }),
    )
  })

  test('a browser without a network shows a server on its own machine', async () => {
    const page = await tocsin.at('/settings/health')
    await page.evaluate("dispatchEvent(new Event('offline'))")
    await page.getByRole('navigation').getByRole('link', { name: 'Cases' }).click()
    await page.getByRole('grid', { name: 'Cases' }).getByText(run.caseId).waitFor()
  })

  test('Control and Enter do not send an answer that a dialog covers', async () => {
    const decision = await openDecision(tocsin.api, run)
    const page = await tocsin.at(`/decisions/${decision}`)
    await page.getByRole('button', { name: 'Choose an answer' }).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    await page.keyboard.press('Control+k')
    await page
      .getByPlaceholder(/^Alert, case/)
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect((await tocsin.admin('GET', `/platformapi/decisions/${decision}`)).body).toMatchObject({ state: 'open', answers: [] })
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await tocsin.admin('GET', `/platformapi/decisions/${decision}`)).body['state']).toBe('approved')
  })

  test('what somebody types while the search is loaded is no shortcut, and is searched', async () => {
    const page = await tocsin.at(`/cases/${run.caseId}`)
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    const loaded = await hold(page, '**/*.js')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').locator('input:focus').waitFor()
    await page.keyboard.type('me')
    loaded()
    const search = page.getByPlaceholder(/^Alert, case/)
    await search.waitFor()
    expect(await search.inputValue()).toBe('me')
    await search.and(page.locator(':focus')).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect((await tocsin.admin('GET', `/platformapi/cases/${run.caseId}`)).body).toMatchObject({ assignee: null })
  })

  test('an answer that is cut off does not break a page', async () => {
    for (const place of ['Alerts', 'Integrations', 'Home', 'Playbooks']) {
      const page = await tocsin.at('/settings/health')
      await page.route('**/platformapi/**', (route) =>
        /\/(me|feed)$/.test(new URL(route.request().url()).pathname)
          ? route.continue()
          : route.fulfill({ status: 200, contentType: 'application/json', body: '{"items":[' }),
      )
      await page.getByRole('navigation').getByRole('link', { name: place }).click()
      await page.getByRole('main').getByText('Tocsin does not answer').first().waitFor()
      expect(await page.getByText('No playbook is active').count()).toBe(0)
    }
  })
})
