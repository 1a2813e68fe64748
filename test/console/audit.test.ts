import { describe, expect, test } from 'vitest'
import { systemScope } from '../../runtime/domain/index.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

describe.runIf(browserAtHand('the audit log'))('the audit log in the console', () => {
  const tocsin = consoleOnApi(async ({ admin }) => {
    await addTenants(admin)
    await admin('POST', '/platformapi/keys', { name: 'Mail <b>source</b>', organizations: ['ACME'] })
    await admin('POST', '/platformapi/pauses', { organization: 'OTHER', reason: 'w'.repeat(500) })
    await admin('POST', '/platformapi/pauses', { organization: 'ACME', reason: 'A drill' })
  })

  test('it shows who did what, newest first, and finds what was done to a thing', async () => {
    const page = await tocsin.at('/settings/audit')
    const rows = page.getByRole('main').getByRole('row')
    await rows.getByText('paused: the organization ACME').waitFor()
    expect(await rows.nth(1).textContent()).toMatch(/test.*paused: the organization ACME.*reason.*A drill/)
    await page.getByText('Mail <b>source</b>').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    // A long reason in the next cell leaves the words whole.
    expect((await page.getByRole('cell', { name: 'paused: the organization OTHER' }).boundingBox())!.width).toBeGreaterThan(90)
    await page.getByRole('textbox', { name: 'About' }).fill('A drill')
    await rows.getByText('an API key was created').waitFor({ state: 'hidden' })
    await rows.getByText('paused: the organization ACME').waitFor()
    expect(await rows.count()).toBe(2)
    expect(page.url()).toContain('about=A+drill')
    await page.getByRole('textbox', { name: 'About' }).fill('drill')
    await page.getByText('No entry fits.').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await rows.getByText('an API key was created').waitFor()
    await page.getByRole('button', { name: 'Show only what test did' }).first().click()
    await page.getByRole('button', { name: 'Show the acts of everybody' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Show the acts of everybody' }).press('Enter')
    await page.getByRole('button', { name: 'Show the acts of everybody' }).waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Time' }).selectOption('The last day')
    expect(new URL(page.url()).search).toBe('?days=1')
  })

  test('an entry about a comment leads to its line in the case', async () => {
    const run = await openWaitingRun(tocsin.api, tocsin.admin)
    await tocsin.admin('POST', `/platformapi/cases/${run.caseId}/comments`, { text: 'Seen it' })
    const page = await tocsin.at('/settings/audit')
    await page.getByRole('row').filter({ hasText: 'a case was commented' }).getByRole('link', { name: 'in the case' }).click()
    await page.locator('.case-timeline > li[aria-current]').getByText('Seen it').waitFor()
  })

  test('it shows names and links instead of ids, and a button copies the whole id', async () => {
    const run = await openWaitingRun(tocsin.api, tocsin.admin)
    const decision = await openDecision(tocsin.api, run, { title: 'Suspend dave?' })
    await tocsin.admin('POST', `/platformapi/decisions/${decision}`, { verdict: 'decline' })
    const { body } = await tocsin.admin('POST', '/platformapi/pauses', { playbook: 'look', reason: 'Names' })
    const page = await tocsin.at('/settings/audit')
    const answered = page.getByRole('row').filter({ hasText: 'a decision was answered' }).first()
    await answered.getByRole('link', { name: 'attempt 1' }).waitFor()
    expect(await answered.getByRole('link', { name: 'attempt 1' }).getAttribute('title')).toBe(run.id)
    expect(await answered.getByRole('link', { name: 'question and answer' }).getAttribute('title')).toBe(decision)
    const paused = page.getByRole('row').filter({ hasText: 'Names' })
    expect(await paused.locator('code').getAttribute('title')).toBe(body['id'])
    expect(await paused.textContent()).not.toContain(body['id'])
    await paused.getByRole('button', { name: 'Copy the id of the pause' }).waitFor()
    await answered.getByRole('link', { name: 'question and answer' }).click()
    await page.getByRole('heading', { name: 'Suspend dave?' }).waitFor()
  })

  test('on a phone nothing scrolls sideways', async () => {
    const page = await tocsin.at('/settings/audit', { width: widths.phone })
    await page.getByText('paused: the organization ACME').waitFor()
    expect(await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true)
    // The tabs are one line, and the open one is in sight.
    const [tabs, open] = [page.getByRole('tablist'), page.getByRole('tab', { name: 'Audit log' })]
    expect((await tabs.boundingBox())!.height).toBeLessThan(60)
    const { x, width } = (await open.boundingBox())!
    expect([x >= 0, x + width <= widths.phone]).toEqual([true, true])
    expect(await tocsin.person.faults()).toEqual([])
    // Somebody opens the page in a window in which all tabs fit, and then makes it narrow: rotates a phone.
    await tocsin.person.resize(widths.desktop)
    await tocsin.person.visit('/settings/pauses')
    await tocsin.person.visit('/settings/audit')
    await open.waitFor()
    await tocsin.person.resize(widths.phone)
    await expect
      .poll(async () => {
        const box = (await open.boundingBox())!
        return box.x >= 0 && box.x + box.width <= widths.phone
      })
      .toBe(true)
  })

  test('a key of some organizations is not offered it', async () => {
    const [acme] = await tocsin.api.store.organizations.byCode(systemScope, ['ACME'])
    const key = await tocsin.api.addKey(['audit:read', 'pauses:read'], acme ? [acme.id] : [])
    const page = await tocsin.at('/settings/audit', { key })
    await page.getByRole('tab', { name: 'Pauses' }).waitFor()
    expect(await page.getByRole('tab', { name: 'Audit log' }).count()).toBe(0)
  })
})
