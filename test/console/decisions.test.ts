import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../runtime/config/index.ts'
import type { Decision, Run } from '../../runtime/domain/index.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

type Action = Decision['actions'][number]

const suspend = (user: string, skill = 'mfa.suspend_mfa_user'): Action => ({
  step: 'act',
  skill,
  connection: { id: 'c', revision: 2, instance: 'main' },
  target: user,
  input: { username: user },
  digest: 'd',
})
const users = ['ada', 'grace', 'edsger']

describe.runIf(browserAtHand('the list of decisions'))('the list of decisions in the console', () => {
  let run: Run
  const tocsin = consoleOnApi(
    async ({ api, admin }) => {
      await addTenants(admin)
      run = await openWaitingRun(api, admin)
    },
    { feedClock: systemClock },
  )
  afterEach(async () => {
    for (const { id } of (await tocsin.admin('GET', '/platformapi/decisions?state=open')).body.items)
      await tocsin.admin('POST', `/platformapi/decisions/${id}`, { verdict: 'decline' })
  })

  const opened = (parts: Partial<Decision> = {}): Promise<string> => openDecision(tocsin.api, run, parts)
  const suspensions = (): Promise<string[]> =>
    Promise.all(users.map((user) => opened({ title: `Suspend ${user}?`, actions: [suspend(user)], expiresAt: tocsin.api.clock.now() + 3_600_000 })))
  const stored = async (id: string): Promise<Record<string, unknown>> => (await tocsin.admin('GET', `/platformapi/decisions/${id}`)).body

  test('decisions that are alike are approved together: every call is shown, and each answer is recorded on its own', async () => {
    const ids = await suspensions()
    await opened({ title: 'Isolate a laptop?', actions: [suspend('laptop', 'edr.isolate')] })
    for (const user of ['barbara', 'donald']) await opened({ kind: 'quota', title: `One more: ${user}?`, actions: [suspend(user)] })
    const page = await tocsin.at('/decisions')
    // The same skill is asked about for two reasons.
    await page.getByRole('button', { name: 'Answer 2 alike (quota): mfa.suspend_mfa_user' }).waitFor()
    await page.getByRole('button', { name: 'Answer 3 alike (approval): mfa.suspend_mfa_user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer 3 decisions' })
    expect(await dialog.getByRole('article').count()).toBe(3)
    for (const user of users)
      expect(await dialog.getByRole('region', { name: `Suspend ${user}?`, exact: true }).textContent()).toContain(`"username": "${user}"`)
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Choose an answer' }).isDisabled()).toBe(true)
    expect(await tocsin.person.faults()).toEqual([])
    // No answer is chosen, so the keys send nothing.
    await page.keyboard.press('Control+Enter')
    await dialog.getByLabel('Approve').check()
    await dialog.getByLabel('Reason').fill('Seen last night')
    // One of them is closed by somebody else in the meantime.
    await tocsin.admin('POST', `/platformapi/decisions/${ids[1]}`, { verdict: 'decline' })
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('2 of 3 answered, 1 not answered').waitFor()
    await dialog.getByText('decision_closed').waitFor()
    const approved = { state: 'approved', answers: [{ by: 'test', verdict: 'approve', reason: 'Seen last night' }] }
    expect(await stored(ids[0] ?? '')).toMatchObject(approved)
    expect(await stored(ids[1] ?? '')).toMatchObject({ state: 'declined' })
    expect(await stored(ids[2] ?? '')).toMatchObject(approved)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'Isolate a laptop?' }).waitFor()
    expect(await page.getByRole('link', { name: /Suspend/ }).count()).toBe(0)
  })

  test('an answer that is lost is unknown and the others are not sent; once sent again, it is recorded once', async () => {
    const ids = await suspensions()
    const page = await tocsin.at('/decisions')
    await page.getByRole('button', { name: 'Answer 3 alike (approval): mfa.suspend_mfa_user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer 3 decisions' })
    await dialog.getByLabel('Approve').check()
    await page.route(
      '**/platformapi/decisions/*',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('0 of 3 answered, 1 unknown: Tocsin did not answer, so no more were sent.').waitFor()
    await dialog.getByText('Unknown', { exact: true }).waitFor()
    const states = async (): Promise<unknown[]> => (await Promise.all(ids.map(stored))).map(({ state }) => state).sort()
    expect(await states()).toEqual(['approved', 'open', 'open'])
    expect(await tocsin.person.faults()).toEqual([])
    await page.keyboard.press('Control+Enter')
    // Tocsin had recorded the lost answer.
    await dialog.getByText('2 of 3 answered, 1 not answered').waitFor()
    await dialog.getByText('decision_closed').waitFor()
    expect(await states()).toEqual(['approved', 'approved', 'approved'])
    for (const id of ids) expect(await stored(id)).toMatchObject({ answers: [{ by: 'test', verdict: 'approve' }] })
  })

  test('decisions that differ, or that the key may not answer, are not offered together', async () => {
    await opened({ title: 'Suspend ada?' })
    await opened({ title: 'Isolate a laptop?', actions: [suspend('laptop', 'edr.isolate')] })
    const page = await tocsin.at('/decisions')
    await page.getByLabel('Select all loaded rows').check()
    await page.getByText('Decisions are answered together only if').waitFor()
    expect(await page.getByRole('button', { name: /^Answer/ }).count()).toBe(0)
    await opened({ title: 'Suspend ada again?' })
    await page.getByRole('link', { name: 'Suspend ada again?' }).waitFor()
    const readers = await tocsin.at('/decisions', { key: await tocsin.api.addKey(['decisions:read']) })
    await readers.getByRole('link', { name: 'Suspend ada again?' }).waitFor()
    expect(await readers.getByRole('button', { name: /^Answer/ }).count()).toBe(0)
  })

  test('of more than 50 decisions that are alike, 50 are answered at once, and the page says how many there are', async () => {
    for (let at = 0; at < 53; at += 1) await opened({ title: `Suspend user-${at}?`, actions: [suspend(`user-${at}`)] })
    const page = await tocsin.at('/decisions')
    await page.getByRole('button', { name: 'Answer 50 of 53 alike (approval): mfa.suspend_mfa_user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer 50 decisions' })
    await dialog.getByText('More are alike, but 50 are answered at once at most.').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.route('**/platformapi/decisions?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), next_cursor: 'more' } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Answer 50 of at least 53 alike' }).waitFor()
  })

  test('the list shows the whole of a usual question, and whom its call is about', async () => {
    const title = 'Suspend ida.rhodes@acme.example at the MFA provider? A stolen password was used: the password was accepted (30).'
    await opened({ title, actions: [suspend('ida.rhodes@acme.example')], expiresAt: tocsin.api.clock.now() + 3_600_000 })
    const page = await tocsin.at('/decisions')
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: title })
    for (const part of [row.getByRole('link', { name: title }), row.locator('.lines')]) {
      const [needed, has] = await part.evaluate(({ scrollWidth, scrollHeight, clientWidth, clientHeight }) => [
        [scrollWidth, scrollHeight],
        [clientWidth, clientHeight],
      ])
      expect(needed).toEqual(has)
    }
  })

  test('in a window of 1,024 pixels, the list shows the deadline and the call without scrolling', async () => {
    await opened({ title: 'Suspend ada?', actions: [suspend('ada')], expiresAt: tocsin.api.clock.now() + 3_600_000 })
    const page = await tocsin.at('/decisions', { width: widths.tablet })
    const grid = page.getByRole('grid')
    await grid.getByRole('link', { name: 'Suspend ada?' }).waitFor()
    const edge = await grid.evaluate((element) => element.getBoundingClientRect().right)
    const cells = await grid.locator('.stacked, .lines').evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right))
    expect(cells).toHaveLength(2)
    for (const right of cells) expect(right).toBeLessThanOrEqual(edge)
  })

  test('the most urgent decision is first, the filters are in the address, and Enter opens a row', async () => {
    const now = tocsin.api.clock.now()
    await opened({ title: 'Never due?' })
    await opened({ title: 'Due late?', expiresAt: now + 9_000_000 })
    await opened({ title: 'Due soon?', expiresAt: now + 5_000_000 })
    await opened({ title: 'In doubt?', kind: 'in_doubt', expiresAt: now + 7_000_000 })
    const page = await tocsin.at('/decisions')
    await page.getByRole('link', { name: 'Due soon?' }).waitFor()
    expect(await page.getByRole('grid').getByRole('link', { name: /\?$/ }).allTextContents()).toEqual([
      'Due soon?',
      'In doubt?',
      'Due late?',
      'Never due?',
    ])
    await page.getByLabel('Kind').selectOption('in_doubt')
    await page.getByRole('link', { name: 'Due soon?' }).waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).toBe('?kind=in_doubt')
    await page.reload()
    await page.getByRole('link', { name: 'In doubt?' }).waitFor()
    expect(await page.getByRole('link', { name: 'Due soon?' }).count()).toBe(0)
    await page.getByRole('grid').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'In doubt?', level: 1 }).waitFor()
  })

  test('keys choose an answer and send nothing; Ctrl with Enter sends it', async () => {
    const id = await opened({ title: 'Suspend ada?' })
    const page = await tocsin.at(`/decisions/${id}`)
    await page.getByRole('heading', { name: 'Your answer' }).or(page.getByText('Your answer')).first().waitFor()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('a')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('Approve').isChecked()).toBe(true)
    await page.keyboard.press('d')
    expect(await page.getByLabel('Decline').isChecked()).toBe(true)
    expect(await stored(id)).toMatchObject({ state: 'open', answers: [] })
    await page.getByLabel('Reason').focus()
    await page.keyboard.type('a d')
    expect(await page.getByLabel('Decline').isChecked()).toBe(true)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Declined', { exact: true }).waitFor()
    expect(await stored(id)).toMatchObject({ state: 'declined', answers: [{ verdict: 'decline', reason: 'a d' }] })
  })

  test.each(Object.entries(widths))('list, dialog and page of decisions are accessible, and fit a %s', async (_name, width) => {
    const [id] = await suspensions()
    const long = 'x'.repeat(100_000)
    await opened({ title: long.slice(0, 300), kind: 'in_doubt', actions: [{ ...suspend(long), input: { username: long } }] })
    const page = await tocsin.at('/decisions', { width })
    await page.getByRole('link', { name: 'Suspend ada?' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Answer 3 alike' }).click()
    await page.getByRole('dialog').waitFor()
    expect(await tocsin.person.overflow()).toBeLessThanOrEqual(0)
    await tocsin.person.visit(`/decisions/${id}`)
    await page.getByRole('heading', { name: 'Evidence' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
  })
})
