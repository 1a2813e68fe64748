import { describe, expect, test } from 'vitest'
import { asId, type DecisionId, type Run, systemScope } from '../../runtime/domain/index.ts'
import { clientOf } from '../support/api/api-client.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'

/* Two people change one case at the same time, and a person mistypes. */

describe.runIf(browserAtHand('changes of one case'))('changes of one case by several people', () => {
  const tocsin = consoleOnApi(({ admin }) => addTenants(admin))
  const open = (): Promise<Run> => openWaitingRun(tocsin.api, tocsin.admin)
  const read = async (id: string) => (await tocsin.admin('GET', `/platformapi/cases/${id}`)).body
  /** What somebody else does. The feed tells it. */
  const other = async (id: string, change: object): Promise<void> => {
    await tocsin.admin('PATCH', `/platformapi/cases/${id}`, change)
    tocsin.api.clock.advance(200)
  }

  test('an undo does not take back what somebody else has changed since', async () => {
    const { caseId } = await open()
    const page = await tocsin.at(`/cases/${caseId}`)
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await page.getByText(`${caseId} is changed`).waitFor()
    await other(caseId, { assignee: 'Priya' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Somebody has changed it since: assignee is now Priya.').waitFor()
    expect(await read(caseId)).toMatchObject({ assignee: 'Priya' })
    await tocsin.person.visit('/cases?view=board')
    const card = page.getByRole('article', { name: caseId })
    await tocsin.person.choose(card.getByRole('button', { name: `Move ${caseId}` }), 'Contained')
    await page.getByText(`${caseId} is now: Contained`).waitFor()
    await other(caseId, { status: 'closed' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('status is now Closed').waitFor()
    expect(await read(caseId)).toMatchObject({ status: 'closed' })
  })

  test('whoever replaces a change that the page had not shown yet is told, and an undo puts that change back', async () => {
    const { caseId } = await open()
    const page = await tocsin.at(`/cases/${caseId}`)
    await page.getByRole('button', { name: 'Assign to me' }).waitFor()
    // Right before the request arrives, somebody else takes the case.
    let first = true
    await page.route(`**/platformapi/cases/${caseId}`, async (route) => {
      if (first && route.request().method() === 'PATCH') {
        first = false
        await tocsin.admin('PATCH', `/platformapi/cases/${caseId}`, { assignee: 'Priya' })
        tocsin.api.clock.advance(1)
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await page.getByRole('alert').getByText('Somebody had changed it meanwhile: assignee was Priya.').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(async () => (await read(caseId))['assignee']).toBe('Priya')
  })

  test('a change that fails takes back itself, and not what somebody else has set meanwhile', async () => {
    const { caseId } = await open()
    const page = await tocsin.at(`/cases/${caseId}`)
    const field = page.getByRole('combobox', { name: 'Assignee' })
    await page.getByRole('button', { name: 'Assign to me' }).waitFor()
    const sent = Promise.withResolvers<void>()
    const refused = Promise.withResolvers<void>()
    await page.route(`**/platformapi/cases/${caseId}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.resolve()
      await refused.promise
      // The page cannot read the case again.
      await page.route(`**/platformapi/cases/${caseId}`, () => {})
      await route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify({ code: 'store_unavailable', status: 503 }) })
    })
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await sent.promise
    await expect.poll(() => field.inputValue()).toBe('test')
    await other(caseId, { assignee: 'Priya' })
    await expect.poll(() => field.inputValue()).toBe('Priya')
    refused.resolve()
    await page.getByRole('alert').waitFor()
    expect(await field.inputValue()).toBe('Priya')
  })

  test('whoever has a case open is told when somebody else replaces what they have set', async () => {
    const { caseId } = await open()
    const colleague = clientOf(tocsin.api.app, (await tocsin.admin('POST', '/platformapi/keys', { name: 'Priya', scopes: ['admin'] })).body.key)
    const page = await tocsin.at(`/cases/${caseId}`)
    const change = async (fields: object): Promise<void> => {
      tocsin.api.clock.advance(1)
      await colleague('PATCH', `/platformapi/cases/${caseId}`, fields)
      tocsin.api.clock.advance(200)
    }
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await page.getByText(`${caseId} is changed`).waitFor()
    // What nobody had set is no replaced change.
    await change({ severity: 'low' })
    await page.getByRole('combobox', { name: 'Severity' }).and(page.locator(':has(option[value="low"]:checked)')).waitFor()
    expect(await page.getByText('has replaced your change').count()).toBe(0)
    await change({ assignee: 'Priya' })
    const note = page.getByRole('alert').filter({ hasText: `Priya has replaced your change of ${caseId}` })
    await note.getByText('Now assignee is Priya. You had set test.').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await note.getByRole('button', { name: 'Close the message' }).click()
    await change({ assignee: null })
    await page.getByRole('button', { name: 'Assign to me' }).waitFor()
    expect(await page.getByText('has replaced your change').count()).toBe(0)
  })

  test('whoever closes a case chooses a disposition, keeps the one that somebody else has set meanwhile, and is told if the case is closed', async () => {
    const { caseId } = await open()
    const page = await tocsin.at(`/cases/${caseId}`)
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    const close = dialog.getByRole('button', { name: 'Close the case' })
    await close.waitFor()
    // Nobody has judged the case.
    expect([await dialog.getByLabel('Disposition').inputValue(), await close.isDisabled()]).toEqual(['', true])
    await other(caseId, { disposition: 'malicious' })
    await dialog.getByText('It is now: Malicious').waitFor()
    expect(await close.isDisabled()).toBe(false)
    expect(await tocsin.person.faults()).toEqual([])
    await other(caseId, { status: 'closed' })
    await dialog.getByText('Somebody has closed this case meanwhile').waitFor()
    expect(await close.isDisabled()).toBe(true)
    await other(caseId, { status: 'new' })
    await dialog.getByText('Somebody has closed this case meanwhile').waitFor({ state: 'hidden' })
    await close.click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await read(caseId)).toMatchObject({ status: 'closed', disposition: 'malicious' })
  })

  test('the beginning of a name is assigned only after a confirmation', async () => {
    const { caseId } = await open()
    const page = await tocsin.at(`/cases/${caseId}`)
    const field = page.getByRole('combobox', { name: 'Assignee' })
    await field.fill('tes')
    await page.keyboard.press('Tab')
    await page.getByText('Not assigned: nobody with this name may see the case.').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    expect(await read(caseId)).toMatchObject({ assignee: null })
    await field.fill('TEST')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read(caseId))['assignee']).toBe('test')
    await field.fill('Tier 2')
    await field.press('Enter')
    await page.getByRole('button', { name: /^Assign to .*Tier 2.* anyway$/ }).click()
    await expect.poll(async () => (await read(caseId))['assignee']).toBe('Tier 2')
    await field.fill('')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await read(caseId))['assignee']).toBe(null)
  })

  test('a merge shows which case the id names, and an answer about one case does not count for another', async () => {
    const [one, closed, running] = [await open(), await open(), await open()]
    const decision = asId<DecisionId>(await openDecision(tocsin.api, one, { title: 'Suspend bob?' }))
    await tocsin.api.store.cases.record(systemScope, one.case, null, {
      key: 'asked',
      at: tocsin.api.clock.now(),
      actor: { run: one.id, step: 'asked' },
      body: { kind: 'decision', decision, state: 'open', title: 'Suspend bob?', by: [], text: null },
    })
    await other(closed.caseId, { status: 'closed' })
    await other(running.caseId, { severity: 'critical' })
    const page = await tocsin.at(`/cases/${one.caseId}`)
    await page.getByRole('button', { name: 'Link or merge' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByRole('textbox', { name: 'The other case' })
    await field.fill('ACME-99999')
    await dialog.getByText('There is no such case').waitFor()
    await dialog.getByRole('radio', { name: /Merge/ }).check()
    await field.fill(closed.caseId)
    await dialog.getByText('Closed', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await dialog.getByRole('radio', { name: 'Decline them' }).check()
    await field.fill(running.caseId)
    await dialog.getByText('Critical', { exact: true }).waitFor()
    expect(await dialog.getByRole('radio', { name: 'Decline them' }).count()).toBe(0)
    expect(await tocsin.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('This case is merged').waitFor()
    await page.locator('.case-timeline').getByRole('link', { name: 'open the other case' }).waitFor()
    expect((await tocsin.admin('GET', '/platformapi/decisions?state=open')).body['items']).toMatchObject([{ title: 'Suspend bob?' }])
  })

  test('the list of cases cuts no word of a field', async () => {
    const { caseId } = await open()
    await tocsin.admin('PATCH', `/platformapi/cases/${caseId}`, { disposition: 'non_malicious_positive', status: 'customer_pending' })
    const page = await tocsin.at('/cases')
    await page.getByText('Non-malicious positive').first().waitFor()
    const cut = '[class*="Badge-label"]'
    expect(await page.locator(cut).evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0)
  })

  test('wherever the console leads to a merged case, it says which case continues it', async () => {
    const [one, target] = [await open(), await open()]
    const decision = await openDecision(tocsin.api, one, { title: 'Suspend carol?' })
    await tocsin.admin('POST', `/platformapi/cases/${one.caseId}/merge`, { into: target.caseId })
    const note = `Merged ${target.caseId} continues it`
    const lists = ['/cases', '/cases?view=board', '/alerts', '/runs', '/decisions?state=all']
    for (const path of [...lists, `/decisions/${decision}`, `/runs/${one.id}`, `/alerts/${one.alert}`]) {
      const page = await tocsin.at(path)
      await page.locator('.merged-note', { hasText: note }).first().waitFor()
      // An alert opens beside the list, so both say it.
      expect(await page.locator('.merged-note', { hasText: note }).count()).toBe(path.startsWith('/alerts/') ? 2 : 1)
      expect(await tocsin.person.faults()).toEqual([])
      expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    }
    const page = await tocsin.at('/home')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByLabel('What to go to').fill(one.caseId)
    await page.getByText(`merged, ${target.caseId} continues it`).waitFor()
  })
})
