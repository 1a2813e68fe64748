import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request } from '../../runtime/cli/client.ts'
import { verifyEvidence } from '../../runtime/evidence/index.ts'
import { visiting } from '../support/console/visits.ts'
import { type ConsoleRuns, iterations, startConsoleRuns } from '../support/console-runs.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

/** Text that tries to script, to lie about its direction, to hide, and to widen the page. */
const hostile = `<script>document.title = 'hacked'</script> \u202Eevil\u200B ${'x'.repeat(100_000)}`

describe.runIf(browserAtHand('runs in the console'))('runs in the console', () => {
  let runs: ConsoleRuns

  beforeAll(async () => {
    runs = await startConsoleRuns(hostile)
  })
  afterAll(() => runs?.stop())
  const visits = visiting(() => runs.admin)

  const summary = (page: Page) => page.getByRole('region', { name: 'What it changed, and why' })

  /** Waits until the chosen step of the timeline has the focus and is in view. */
  async function focusedStep(page: Page, name: string): Promise<void> {
    const row = page.getByRole('region', { name: 'Timeline' }).locator('[aria-current="step"]:focus', { hasText: name.split('/').at(-1) ?? name })
    await row.waitFor()
    const [own, list] = [await row.boundingBox(), await page.locator('.run-timeline-list').boundingBox()]
    expect(own && list && own.y >= list.y && own.y + own.height <= list.y + list.height).toBe(true)
  }

  test('the page of a run says why the user was not contained, and each step opens with its values', async () => {
    const page = await visits.at(`/runs/${runs.notContained}`)
    await summary(page).getByText('was not called, because the run went another way').waitFor()
    await summary(page).getByText('no: inputs.denied >= 5 is false (it is 3)').waitFor()
    await page.locator('.graph-step[data-state="not_reached"]').first().waitFor()
    expect(await visits.person.faults()).toEqual([])
    // A link may be right above or below it.
    const copy = await page.getByRole('button', { name: 'Copy the digest of the version' }).boundingBox()
    expect(Math.min(copy?.width ?? 0, copy?.height ?? 0)).toBeGreaterThanOrEqual(24)

    await summary(page).getByRole('link', { name: 'known/decide' }).click()
    const step = page.getByRole('region', { name: 'Step known/decide' })
    await step.getByText('inputs.denied = 3').first().waitFor()
    expect(new URL(page.url()).searchParams.get('step')).toBe('known/decide')
    await page.locator('.graph-step[data-chosen]', { hasText: 'decide' }).waitFor()

    await page
      .getByRole('region', { name: 'Timeline' })
      .getByRole('button', { name: /^user mfa/ })
      .click()
    await page.getByRole('region', { name: 'Step known/user' }).getByText('"username": "alan.turing@acme.example"').first().waitFor()
    expect(await visits.person.faults()).toEqual([])

    await page.route('**/graph', async (route) => {
      const answer = await route.fetch()
      const { nodes, ...graph } = (await answer.json()) as { readonly nodes: readonly object[] }
      const many = Array.from({ length: 1_001 }, (_, at) => ({ ...nodes[0], address: `s${at}`, id: `s${at}` }))
      await route.fulfill({ response: answer, json: { ...graph, nodes: many, edges: [] } })
    })
    await page.reload()
    await page.getByText('It is too large to draw: 1,001 steps').waitFor()
    await page.locator('label', { hasText: 'List' }).click()
    await page.getByRole('button', { name: /^s1000 / }).waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('the graph is used with the keyboard, and its list shows the same steps in words', async () => {
    const page = await visits.at(`/runs/${runs.contained}`)
    const begin = page.getByRole('group', { name: /^begin, set variables/ })
    await begin.waitFor()
    await begin.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Step begin' }).waitFor()
    await page.locator('label', { hasText: 'List' }).click()
    const list = page.getByRole('navigation', { name: 'Run of mfa-fatigue, as a list' })
    // What the summary says moves the list, and a click on what moves is lost.
    await summary(page).getByText('Done').first().waitFor()
    await list.getByRole('button', { name: /^(else: )?suspend / }).click()
    await page.getByRole('region', { name: 'Step known/decide/standing/suspend' }).waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('a long loop is grouped, every iteration can be reached, and hostile text stays text', async () => {
    const page = await visits.at(`/runs/${runs.looped}`)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline
      .getByText(`and ${iterations / 2 - 1} alike`)
      .first()
      .waitFor()
    expect(await page.title()).not.toContain('hacked')
    await timeline.getByRole('button', { name: /^long set/ }).click()
    await page.getByRole('button', { name: 'Load all of the output' }).click()
    await page.getByText(/characters are hidden/).waitFor()
    expect(await visits.person.overflow()).toBeLessThanOrEqual(0)
    await page.locator('label', { hasText: 'Every iteration' }).click()
    await timeline.getByText(`${iterations + 3} steps`).waitFor()
    expect(await timeline.getByRole('listitem').count()).toBeLessThan(60)
    await page.locator('.graph-state', { hasText: `${iterations / 2} skipped, ${iterations / 2} done` }).waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('an address with a step opens it, and nothing moves while the run goes on', async () => {
    const page = await visits.at(`/runs/${runs.waiting}?step=known/user`)
    const step = page.getByRole('region', { name: 'Step known/user' })
    const output = await step.getByText('"firstName": "Ada"').elementHandle()
    await page.getByText('It waits for a decision.').waitFor()
    await summary(page).getByText('it waits for an answer: “Suspend ada.lovelace@acme.example?').waitFor()
    const { id: pause } = await request(runs.admin, 'POST', '/platformapi/pauses', { playbook: 'mfa-fatigue', reason: 'A drill' })
    await page.getByText('A pause holds it').waitFor()
    await summary(page).getByText('has not been called yet: a pause holds the run').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await request(runs.admin, 'DELETE', `/platformapi/pauses/${String(pause)}`)
    await page.getByText('A pause holds it').waitFor({ state: 'hidden' })
    const node = page.locator('.graph-step[data-chosen]', { hasText: 'user' })
    await node.waitFor()
    const before = await node.boundingBox()
    const { decisions } = await request(runs.admin, 'GET', `/platformapi/runs/${runs.waiting}`)
    for (const { id } of decisions as readonly Answer[])
      await request(runs.admin, 'POST', `/platformapi/decisions/${id}`, { verdict: 'decline', reason: 'It was a drill' })
    await page.getByRole('heading', { level: 1 }).getByText('Completed').waitFor()
    await summary(page).getByText('was skipped').waitFor()
    // The same element: nothing was taken away and shown again.
    expect(await output?.isVisible()).toBe(true)
    const after = await node.boundingBox()
    expect(after?.x).toBe(before?.x)
    await focusedStep(page, 'known/user')
  })

  test('an address with a step of a long loop scrolls to it', async () => {
    const page = await visits.at(`/runs/${runs.looped}?step=each/741/odd`)
    await page.getByRole('region', { name: 'Step each/741/odd' }).getByText('741').first().waitFor()
    await focusedStep(page, 'odd #742')
    expect(await page.locator('.graph-step[data-chosen]', { hasText: 'odd' }).boundingBox()).not.toBeNull()
    expect(new URL(page.url()).searchParams.get('loops')).toBe('all')
  })

  test('a case offers the same undo, and shows another plan if the one on the page is old', async () => {
    const { case_id } = await request(runs.admin, 'GET', `/platformapi/runs/${runs.contained}`)
    const page = await visits.at(`/cases/${String(case_id)}`)
    // As if something had changed since the plan was made.
    let plans = 0
    await page.route('**/undo', (route) => {
      if (route.request().method() === 'POST') return route.continue({ postData: JSON.stringify({ plan: `sha256:${'0'.repeat(64)}` }) })
      plans += 1
      return route.continue()
    })
    await page.getByRole('button', { name: 'Undo …' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('takes back mfa.suspend_mfa_user').waitFor()
    const before = plans
    await dialog.getByRole('button', { name: 'Send this call' }).click()
    await dialog.getByRole('alert').waitFor()
    await expect.poll(() => plans).toBeGreaterThan(before)
    expect(await visits.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Leave it' }).click()
  })

  test('an undo shows its calls first, and then the run says who undid it', async () => {
    const page = await visits.at(`/runs/${runs.contained}`)
    await page.getByRole('button', { name: 'Undo…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('These calls are sent, in this order').waitFor()
    await dialog.getByText('takes back mfa.suspend_mfa_user').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await dialog.getByLabel('Reason').fill('It was a drill')
    await dialog.getByRole('button', { name: 'Send this call' }).click()
    await page.getByText('“It was a drill”').waitFor()
    expect((await request(runs.admin, 'GET', `/platformapi/runs/${runs.contained}`))['undone_by']).toMatchObject([{ reason: 'It was a drill' }])
    // An undo has evidence, too. It can be neither replayed nor recorded.
    const undo = await visits.at(`/runs/${runs.contained}-u1`)
    await undo.getByRole('button', { name: 'More' }).click()
    expect(await undo.getByRole('menuitem').allTextContents()).toEqual(['Download signed evidence'])
  })

  test('the list keeps its filters in the address, and fits a phone', async () => {
    const page = await visits.at('/runs?state=failed', { width: widths.phone })
    await page.getByRole('grid', { name: 'Runs' }).getByText('sift').first().waitFor()
    expect(await page.getByRole('grid', { name: 'Runs' }).getByText('mfa-fatigue').count()).toBe(0)
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('grid', { name: 'Runs' }).getByText('sift').first().click()
    await page.getByText('It failed:').first().waitFor()
    await page.locator('.graph-step').first().waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('a key that may only read runs is offered no action, and no test of a run changes anything', async () => {
    const made = await request(runs.admin, 'POST', '/platformapi/keys', { name: 'reader', scopes: ['runs:read'], organizations: ['ACME'] })
    const page = await visits.at(`/runs/${runs.notContained}`, { key: String(made['key']) })
    await summary(page).getByText('was not called').waitFor()
    expect(await page.getByRole('button', { name: /Retry|Cancel|Undo/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'More' }).click()
    expect(await page.getByRole('menuitem', { name: /Replay/ }).count()).toBe(0)
    const [evidence] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download signed evidence' }).click()])
    const signed: unknown = JSON.parse(readFileSync(await evidence.path(), 'utf8'))
    expect(verifyEvidence(signed).document).toMatchObject({ made_for: { by: 'reader' }, run: { run_id: runs.notContained } })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Make a test of this run' }).click()
    await page.getByRole('dialog').getByText('playbook: mfa-fatigue').waitFor()
  })
})
