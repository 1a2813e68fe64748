import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { asId, type DecisionId, type Run, systemScope, type TimelineBody } from '../../runtime/domain/index.ts'
import { endOf } from '../conformance/storage/fixtures.ts'
import type { ApiServer } from '../support/api/api-server.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

/** A text that tries to be a script, to turn the writing direction, to hide, and to be wide. */
const hostile = `<img src=x onerror="document.title='owned'"> user\u202egnp.exe \u200bhidden ${'w'.repeat(3_000)}`

/** The badges whose word is cut off. */
const cutBadges = `[...document.querySelectorAll('.mantine-Badge-label')].filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent)`

const suspended: TimelineBody = {
  kind: 'action',
  skill: 'mfa.suspend_mfa_user',
  connection: 'main',
  outcome: 'done',
  target: 'ada',
  effect: 'done',
}

describe.runIf(browserAtHand('the cases of the console'))('the cases of the console', () => {
  const runs: Run[] = []
  const first = () => runs[0] as Run
  const idOf = (at: number): string => (runs[at] as Run).caseId
  const tocsin = consoleOnApi(async ({ api, admin }) => {
    await addTenants(admin)
    for (let at = 0; at < 8; at += 1) runs.push(await openWaitingRun(api, admin))
    await write(api, first(), 'finding', { kind: 'finding', title: hostile, risk: 'high', evidence: { from: '203.0.113.9', text: hostile } })
    await write(api, first(), 'wrote', suspended)
    await write(
      api,
      first(),
      'verdict',
      { kind: 'verdict', text: 'The user was suspended.' },
      { summary: 'The user was suspended.', status: 'contained' },
    )
    await admin('PATCH', `/platformapi/cases/${idOf(1)}`, { status: 'in_progress', severity: 'critical', assignee: 'test' })
    await admin('PATCH', `/platformapi/cases/${idOf(2)}`, { status: 'customer_pending', severity: 'informational' })
    await admin('POST', `/platformapi/cases/${idOf(2)}/tags`, { add: ['vip'] })
  })

  async function write(api: ApiServer, run: Run, key: string, body: TimelineBody, change: object | null = null): Promise<void> {
    await api.store.cases.record(systemScope, run.case, change, { key, at: api.clock.now(), actor: { run: run.id, step: key }, body })
  }
  test('list, board and case are accessible, and fit every window', async () => {
    const page = await tocsin.at('/cases')
    for (const width of Object.values(widths)) {
      await tocsin.person.resize(width)
      await page.getByRole('grid', { name: 'Cases' }).getByText(idOf(1)).waitFor()
      expect(await tocsin.person.faults()).toEqual([])
      await tocsin.person.visit('/cases?view=board')
      await page.getByRole('article', { name: idOf(2) }).waitFor()
      expect(await tocsin.person.faults()).toEqual([])
      expect(await page.evaluate(cutBadges)).toEqual([])
      await tocsin.person.visit(`/cases/${idOf(0)}`)
      await page.getByRole('heading', { level: 1, name: idOf(0) }).waitFor()
      await page.getByText('mfa.suspend_mfa_user').first().waitFor()
      await page.getByText('Evidence').first().click()
      expect(await tocsin.person.faults()).toEqual([])
      expect(await page.title()).toContain(idOf(0))
      await tocsin.person.visit('/cases')
    }
  })

  test('the list is filtered, the address keeps the filters, and a row opens its case', async () => {
    const page = await tocsin.at('/cases')
    const list = page.getByRole('grid', { name: 'Cases' })
    await list.getByText(idOf(3)).waitFor()
    await page.getByRole('textbox', { name: 'Search' }).fill(idOf(2))
    await list.getByText(idOf(3)).waitFor({ state: 'hidden' })
    expect(new URL(page.url()).searchParams.get('q')).toBe(idOf(2))
    await page.reload()
    await list.getByText(idOf(2)).waitFor()
    expect(await list.getByText(idOf(3)).count()).toBe(0)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await list.getByText(idOf(3)).waitFor()
    await page.getByRole('checkbox', { name: 'Needs attention' }).check()
    await page.getByText('No case fits these filters').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await list.focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  })

  test('a list shows the number of an id that is too long for its column', async () => {
    const items = { url: '**/platformapi/cases?*', long: 'A-VERY-LONG-ORGANIZATION-12345' }
    const page = await tocsin.at('/')
    await page.route(items.url, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(`"case_id":"${idOf(1)}"`, `"case_id":"${items.long}"`)
      await route.fulfill({ response, body })
    })
    await tocsin.person.visit('/cases')
    const link = page.getByRole('grid', { name: 'Cases' }).getByRole('link', { name: items.long })
    await link.waitFor()
    // The end of the text is inside the link that cuts it.
    expect(await link.evaluate((cut) => cut.getBoundingClientRect().right - (cut.firstElementChild?.getBoundingClientRect().right ?? 0) >= -1)).toBe(
      true,
    )
    expect(await link.evaluate((cut) => cut.scrollWidth > cut.clientWidth)).toBe(true)
  })

  test('on a phone, a case with a long title and a long timeline shows its fields before both', async () => {
    const page = await tocsin.at('/', { width: widths.phone })
    await page.route(`**/platformapi/cases/${idOf(5)}`, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: { ...body, title: 'w'.repeat(900) } })
    })
    await tocsin.person.visit(`/cases/${idOf(5)}`)
    const top = async (name: string): Promise<number> => (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? Number.NaN
    await page.getByText('The whole title (900 characters)').waitFor()
    expect(await top('Fields')).toBeLessThan(900)
    expect(await top('Open decisions')).toBeLessThan(await top('Timeline'))
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.person.resize(widths.desktop)
    expect(await top('Timeline')).toBeLessThan(await top('Open decisions'))
  })

  test('a comment that somebody has begun is there again after another page, and one that was sent is not', async () => {
    const page = await tocsin.at(`/cases/${idOf(7)}`)
    const comment = page.getByRole('textbox', { name: 'Comment' })
    const elsewhere = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Alerts' }).click()
      await page.getByRole('heading', { name: 'Alerts' }).waitFor()
      await page.goBack()
      await comment.waitFor()
    }
    await comment.fill('Ada says that')
    await elsewhere()
    expect(await comment.inputValue()).toBe('Ada says that')
    const answered = Promise.withResolvers<void>()
    await page.route('**/comments', async (route) => {
      await answered.promise
      await route.continue()
    })
    await comment.press('Control+Enter')
    await elsewhere()
    expect(await comment.inputValue()).toBe('')
    answered.resolve()
    await page.getByText('Ada says that').waitFor()
    await page.unroute('**/comments')
    await page.route('**/comments', (route) => route.abort())
    await comment.fill('Ada has left')
    await comment.press('Control+Enter')
    await page.getByText('The comment was not added').waitFor()
    expect(await comment.inputValue()).toBe('Ada has left')
    await elsewhere()
    expect(await comment.inputValue()).toBe('Ada has left')
  })

  test('the board moves a case with the keyboard, and takes that back', async () => {
    const page = await tocsin.at('/cases?view=board')
    const card = (column: string) => page.getByRole('region', { name: column }).getByRole('article', { name: idOf(3) })
    await tocsin.person.choose(card('New').getByRole('button', { name: `Move ${idOf(3)}` }), 'Customer pending')
    await card('Customer pending').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await card('New').waitFor()
  })

  test('people work on a case: fields, tags, tasks, comments with mentions, links and merges', async () => {
    const page = await tocsin.at(`/cases/${idOf(4)}`)
    const read = async () => (await tocsin.admin('GET', `/platformapi/cases/${idOf(4)}`)).body
    await page.getByLabel('Severity').selectOption('critical')
    await page.getByText(`${idOf(4)} is changed`).waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect.poll(async () => (await read()).severity).toBe('high')
    await page.getByRole('button', { name: 'Assign to me' }).click()
    await expect.poll(async () => (await read()).assignee).toBe('test')
    await page.getByRole('combobox', { name: 'Tags' }).fill('phish')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read()).tags).toEqual(['phish'])
    await page.getByRole('textbox', { name: 'New task' }).fill('Call Ada')
    await page.keyboard.press('Enter')
    // The box shows the new state a moment after the click.
    const done = page.getByRole('checkbox', { name: 'Done: Call Ada' })
    await done.click()
    await expect.poll(() => done.isChecked()).toBe(true)
    await expect.poll(async () => (await read()).tasks).toMatchObject([{ text: 'Call Ada', done_by: 'test' }])
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Look, ')
    await comment.pressSequentially('@te')
    await page.getByRole('option', { name: 'test' }).first().click()
    await expect.poll(() => comment.inputValue()).toBe('Look, @test ')
    await comment.press('Control+Enter')
    await expect.poll(async () => (await tocsin.admin('GET', '/platformapi/mentions')).body.items).toMatchObject([{ case_id: idOf(4) }])
    await page.getByText('Change log').click()
    await page.getByText('severity: critical → high').waitFor()
    expect(new URL(page.url()).searchParams.get('timeline')).toBe('changes')
    await page.getByRole('button', { name: 'Link or merge' }).click()
    await page.getByRole('radio', { name: /Merge/ }).check()
    await page.getByRole('textbox', { name: 'The other case' }).fill(idOf(5))
    expect(await tocsin.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('This case is merged').waitFor()
    await page.getByRole('button', { name: 'Take the merge back' }).click()
    await page.getByText('This case is merged').waitFor({ state: 'hidden' })
  })

  test('merging a case with an open decision into a closed case asks what happens to the decision', async () => {
    const run = await openWaitingRun(tocsin.api, tocsin.admin)
    const closed = await openWaitingRun(tocsin.api, tocsin.admin)
    await tocsin.admin('PATCH', `/platformapi/cases/${closed.caseId}`, { status: 'closed' })
    const decision = asId<DecisionId>(await openDecision(tocsin.api, run, { title: 'Suspend bob?' }))
    await write(tocsin.api, run, 'asked', { kind: 'decision', decision, state: 'open', title: 'Suspend bob?', by: [], text: null })
    const page = await tocsin.at(`/cases/${run.caseId}`)
    await page.getByRole('button', { name: 'Link or merge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /Merge/ }).check()
    await dialog.getByRole('textbox', { name: 'The other case' }).fill(closed.caseId)
    const merge = dialog.getByRole('button', { name: 'Merge', exact: true })
    await merge.click()
    await dialog.getByText('has 1 open decision: Suspend bob?').waitFor()
    expect(await merge.isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'They stay open' }).check()
    expect(await tocsin.person.faults()).toEqual([])
    await merge.click()
    await page.getByText('This case is merged').waitFor()
  })

  test('a card is dragged to another column, and goes back if the move is refused', async () => {
    const page = await tocsin.at('/cases?view=board')
    const column = (name: string) => page.getByRole('region', { name })
    const card = (name: string) => column(name).getByRole('article', { name: idOf(4) })
    /** Lets go when the column shows that it takes the card, as a person does. */
    const drag = async (from: string, to: string) => {
      await card(from).hover()
      await page.mouse.down()
      await column(to).hover()
      await page.locator('section[data-over]').and(column(to)).waitFor()
      await page.mouse.up()
    }
    await drag('New', 'Analyst pending')
    await card('Analyst pending').waitFor()
    await expect.poll(async () => (await tocsin.admin('GET', `/platformapi/cases/${idOf(4)}`)).body['status']).toBe('analyst_pending')

    const answered = Promise.withResolvers<void>()
    await page.route('**/platformapi/cases/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      await answered.promise
      await route.abort()
    })
    await drag('Analyst pending', 'New')
    // The board shows the move before the answer comes.
    await card('New').waitFor()
    answered.resolve()
    await page.getByText(`${idOf(4)} was not moved`).waitFor()
    await card('Analyst pending').waitFor()
  })

  test('closing a case asks what happens to its open decision', async () => {
    const run = runs[6] as Run
    const decision = await openDecision(tocsin.api, run)
    await write(tocsin.api, run, 'asked', {
      kind: 'decision',
      decision: asId<DecisionId>(decision),
      state: 'open',
      title: 'Suspend ada?',
      by: [],
      text: null,
    })
    const page = await tocsin.at(`/cases/${run.caseId}`)
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Suspend ada?').waitFor()
    const close = dialog.getByRole('button', { name: 'Close the case' })
    await dialog.getByLabel('Disposition').selectOption('malicious')
    expect(await close.isDisabled()).toBe(true)
    await dialog.getByRole('radio', { name: 'Decline them' }).check()
    expect(await tocsin.person.faults()).toEqual([])
    await close.click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Open again' }).waitFor()
    expect((await tocsin.admin('GET', `/platformapi/cases/${run.caseId}`)).body).toMatchObject({
      status: 'closed',
      disposition: 'malicious',
      open_decisions: [],
    })
  })

  test('of many findings, those with the highest risk show at first, and what was changed is near', async () => {
    const run = await openWaitingRun(tocsin.api, tocsin.admin)
    await write(tocsin.api, run, 'first', { kind: 'finding', title: 'The first one', risk: 'critical', evidence: null })
    for (let at = 0; at < 30; at += 1)
      await write(tocsin.api, run, `finding ${at}`, { kind: 'finding', title: `Low ${at}.`, risk: 'low', evidence: null })
    await write(tocsin.api, run, 'wrote', suspended)
    const page = await tocsin.at(`/cases/${run.caseId}`, { width: widths.phone })
    const findings = page.getByRole('region', { name: 'Findings' })
    await findings.getByText('The 10 with the highest risk, of 31.').waitFor()
    await findings.getByText('The first one').waitFor()
    await findings.getByText('Low 29.').waitFor()
    expect(await findings.getByText('Low 20.').count()).toBe(0)
    expect(await tocsin.person.faults()).toEqual([])
    await findings.getByRole('button', { name: 'Show all findings' }).press('Enter')
    await findings.getByText('Low 20.').waitFor()
    await findings.getByRole('button', { name: 'Show fewer' }).waitFor()
  })

  test('an undo is offered when the run has ended', async () => {
    const run = await openWaitingRun(tocsin.api, tocsin.admin)
    await write(tocsin.api, run, 'wrote', suspended)
    const page = await tocsin.at(`/cases/${run.caseId}`)
    const undo = page.getByRole('button', { name: 'Undo …' })
    await page.getByRole('cell', { name: 'Possible after the end of its run' }).getByRole('link', { name: 'its run' }).waitFor()
    expect(await undo.count()).toBe(0)
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.api.store.runs.end(systemScope, endOf(run.id, 1, 2))
    tocsin.api.clock.advance(200)
    await undo.waitFor()
    // On a laptop, nobody must scroll sideways to find it.
    await tocsin.person.resize(1_280)
    const inSight = await undo.evaluate((button) => {
      let box = button.parentElement
      while (box && box.scrollWidth <= box.clientWidth) box = box.parentElement
      return box === null
    })
    expect(inSight).toBe(true)
  })

  test('after an undo the head of the case says so', async () => {
    const { id, case: uuid } = first()
    const undo = asId<Run['id']>(`${id}-u1`)
    const asked = { undo, by: 'Ada', reason: 'Wrong user' }
    const principal = asId<never>('0197a000-0000-7000-8000-00000000ada0')
    await tocsin.api.store.cases.record(systemScope, uuid, null, {
      key: 'undo',
      at: tocsin.api.clock.now(),
      actor: { principal },
      body: { kind: 'undo', undoes: id, text: 'Wrong user', asked },
    })
    const counts = { undone: 1, standing: 0, inDoubt: 0 }
    await write(tocsin.api, first(), 'undone', {
      kind: 'undone',
      undoes: id,
      state: 'undone',
      changed: true,
      text: 'All undone',
      principal,
      ...asked,
      ...counts,
    })
    const page = await tocsin.at(`/cases/${idOf(0)}`)
    await page.getByText('The verdict may no longer be true').waitFor()
    await page.getByRole('heading', { name: 'Verdict (superseded)' }).waitFor()
    await page.getByText('Analyst pending').first().waitFor()
  })

  test('a key that may only read may export, and is offered nothing else, and a case that is not there says so', async () => {
    const page = await tocsin.at(`/cases/${idOf(2)}`, { key: await tocsin.api.addKey(['cases:read']) })
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    for (const name of ['Close …', 'Comment', 'Add', 'Link or merge …', 'Undo …'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    expect(await page.getByLabel('Severity').isDisabled()).toBe(true)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: 'Export' })
        .click()
        .then(() => page.getByRole('menuitem', { name: 'PDF' }).click()),
    ])
    expect(saved.suggestedFilename()).toBe(`${idOf(2)}.pdf`)
    expect(
      readFileSync(await saved.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    await page.route('**/export?format=pdf', (route) => route.abort())
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'PDF' }).click()
    await page.getByText(`${idOf(2)} was not saved as PDF`).waitFor()
    await tocsin.person.visit('/cases/ACME-99999')
    await page.getByText('There is no such case').waitFor()
  })

  test('a refused change is taken back', async () => {
    const page = await tocsin.at(`/cases/${idOf(7)}`)
    await page.getByLabel('Severity').waitFor()
    await page.route(`**/platformapi/cases/${idOf(7)}`, (route) => (route.request().method() === 'PATCH' ? route.abort() : route.continue()))
    await page.getByLabel('Severity').selectOption('low')
    await page.getByText(`${idOf(7)} was not changed`).waitFor()
    await expect.poll(() => page.getByLabel('Severity').inputValue()).toBe('high')
  })
})
