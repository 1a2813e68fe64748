import { describe, expect, test } from 'vitest'
import type { Run } from '../../runtime/domain/index.ts'
import { addTenants, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'

describe.runIf(browserAtHand('the menus'))('the menus of the console', () => {
  let run: Run
  const tocsin = consoleOnApi(async ({ api, admin }) => {
    await addTenants(admin)
    run = await openWaitingRun(api, admin)
    await admin('POST', '/platformapi/webhooks', { url: 'https://hooks.example/tocsin', events: ['run.failed'] })
  })

  test('each is accessible while it is open, and begins with its first item', async () => {
    const menus: readonly (readonly [path: string, button: string, first: string])[] = [
      ['/alerts', 'All alerts', 'All alerts'],
      [`/cases/${run.caseId}`, 'Export', 'PDF'],
      ['/cases?view=board', `Move ${run.caseId}`, 'In progress'],
      [`/runs/${run.id}`, 'More', 'Replay against an edited playbook'],
      ['/settings/webhooks', 'More …', 'Disable'],
      ['/settings/health', 'Signed in as test', 'Light'],
    ]
    const page = await tocsin.at('/')
    for (const [path, button, first] of menus) {
      await tocsin.person.visit(path)
      await page.getByRole('button', { name: button, exact: true }).press('Enter')
      await page.getByRole('menuitem', { name: first, exact: true }).and(page.locator(':focus')).waitFor()
      expect([path, await tocsin.person.faults()]).toEqual([path, []])
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
    }
  })

  test('the filters and the columns of a list are accessible while they are open', async () => {
    const page = await tocsin.at('/alerts')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Choose columns' }).click()
    await page.getByRole('dialog', { name: 'Choose columns' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.person.visit('/settings/keys')
    await page.getByRole('button', { name: 'New key …' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Organizations' }).click()
    // The dialog must not cover the list.
    await page.getByRole('option', { name: 'ACME' }).click()
    await page.getByRole('dialog').getByText('ACME', { exact: true }).first().waitFor()
  })
})
