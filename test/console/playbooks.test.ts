import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request } from '../../runtime/cli/client.ts'
import { decideUntilEnded } from '../support/api/decisions.ts'
import { visiting } from '../support/console/visits.ts'
import { type MfaSystem, startMfaSystem } from '../support/mfa-system.ts'
import { widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'

/* Playbooks in the console, on a real Tocsin with the shipped playbooks and a simulated MFA provider. */

const text = (note: string, type = 'theft'): string =>
  `format: 1\nplaybook: thief\nalert_type: ${type}\nsteps:\n  - id: say\n    case: { note: ${note} }\n`

describe.runIf(browserAtHand('playbooks'))('playbooks in the console', () => {
  let mfa: MfaSystem
  let alert: string
  let run: string

  beforeAll(async () => {
    mfa = await startMfaSystem('IDP')
    const sample = JSON.parse(readFileSync(join(import.meta.dirname, '../demo/story/alerts/4-mfa-fatigue.json'), 'utf8')) as {
      readonly content: object
    }
    const body = { alert_content: JSON.stringify(sample.content), alert_provider: 'IDP', organization_code: 'ACME', alert_type: 'mfa_fatigue' }
    const posted = await request(mfa.admin, 'POST', '/platformapi/alerts', body)
    alert = String(posted['alert_id'])
    const ended = await decideUntilEnded(mfa.admin, posted['alert_id'], 'approve')
    run = `${ended.alert['alert_uuid']}-r1`
  })
  afterAll(() => mfa?.stop())
  const visits = visiting(() => mfa.admin)

  const activate = (texts: string, more: object = {}): Promise<Answer> =>
    request(mfa.admin, 'POST', '/platformapi/playbooks', { playbooks: [{ text: texts }], ...more })
  const active = (key: string): Promise<Answer> => request(mfa.admin, 'GET', `/platformapi/playbooks/${key}`)
  const editor = (page: Page) => page.getByRole('textbox', { name: 'Text of the playbook' })

  test('the list shows playbooks by alert type with their runs; its pages fit every width', async () => {
    const page = await visits.at('/playbooks?q=fatigue')
    await page.getByText('100 %').first().waitFor()
    for (const width of Object.values(widths)) {
      await visits.person.resize(width)
      await page.getByText('mfa_fatigue').first().waitFor()
      expect(await visits.person.faults()).toEqual([])
    }
    await page.getByText('mfa_fatigue').first().click()
    await page.getByRole('heading', { name: 'mfa_fatigue' }).waitFor()
    for (const width of Object.values(widths)) {
      await visits.person.resize(width)
      await editor(page).getByText('mfa-fatigue').first().waitFor()
      expect(await visits.person.overflow()).toBeLessThanOrEqual(0)
    }
  })

  test('a playbook shows its worst case, its graph, and the connection that each organization has for it', async () => {
    const page = await visits.at('/playbooks/mfa_fatigue?tab=impact')
    await page.getByText('mfa.suspend_mfa_user').first().waitFor()
    await page.getByText('One run makes at most').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('tab', { name: 'Graph' }).click()
    const step = page.getByRole('region', { name: 'Playbook mfa-fatigue' }).getByText('pushes', { exact: true })
    await step.waitFor()
    expect(await visits.person.faults()).toEqual([])
    await step.click()
    await page.getByRole('button', { name: /^Show line/ }).click()
    await editor(page).waitFor()
    expect(Number(new URL(page.url()).searchParams.get('line'))).toBeGreaterThan(1)
    await page.getByRole('tab', { name: 'Organizations' }).click()
    await page.getByRole('cell', { name: 'ACME' }).waitFor()
    expect(new URL(page.url()).searchParams.get('tab')).toBe('uses')
    expect(await visits.person.faults()).toEqual([])
  })

  test('the keyboard reaches every step of a large graph, and the overview does not cover a narrow one', async () => {
    const steps = Array.from({ length: 60 }, (_, at) => `  - id: s${at}\n    case: { note: at ${at} }\n`)
    await activate(`format: 1\nplaybook: large\nalert_type: large\nsteps:\n${steps.join('')}`)
    const page = await visits.at('/playbooks/large?tab=graph')
    const step = (at: number) => page.locator(`.react-flow__node[data-id="s${at}"]`)
    const overview = page.getByRole('img', { name: 'Overview' })
    await step(0).waitFor()
    await overview.waitFor()
    await step(0).focus()
    for (let at = 1; at < 60; at += 1) {
      await step(at).waitFor()
      await page.keyboard.press('Tab')
      await step(at).and(page.locator(':focus')).waitFor()
    }
    await visits.person.visit('/playbooks/large/edit?panel=graph')
    await step(0).waitFor()
    await overview.waitFor({ state: 'hidden' })
  })

  test('versions are compared side by side, rolled back to, and withdrawn', async () => {
    await activate(text('one', 'versions'))
    await activate(text('two', 'versions'))
    const page = await visits.at('/playbooks/versions?tab=versions')
    await page.getByRole('button', { name: 'Compare revision 1 with the active one' }).click()
    await page.getByRole('textbox', { name: 'Revision 1' }).getByText('one').waitFor()
    await page.getByRole('textbox', { name: 'Revision 2' }).getByText('two').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
    await page.getByRole('button', { name: 'Activate it' }).click()
    await page.getByText('The text of revision 1 is active again.').waitFor()
    expect(await active('versions')).toMatchObject({ revision: 3, text: text('one', 'versions') })
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await page.waitForURL('**/console/playbooks')
    await expect(active('versions')).rejects.toThrow('No playbook is active')
  })

  test('a confirmation acts only on the revision that it was asked about', async () => {
    await activate(text('one', 'raced'))
    await activate(text('two', 'raced'))
    const page = await visits.at('/playbooks/raced?tab=versions')
    await page.getByRole('button', { name: 'Roll back to revision 1' }).click()
    await page.getByText('It becomes revision 3').waitFor()
    await activate(text('three', 'raced'))
    await page.getByText('revision 3,').waitFor()
    await page.getByRole('button', { name: 'Activate it' }).click()
    await page.getByText('The earlier version was not activated').waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('Withdraw this playbook?').waitFor()
    await activate(text('four', 'raced'))
    await page.getByText('revision 4,').waitFor()
    await page.getByRole('button', { name: 'Withdraw it' }).click()
    await page.getByText('The playbook was not withdrawn').waitFor()
    expect(await active('raced')).toMatchObject({ revision: 4, text: text('four', 'raced') })
  })

  test('the editor shows mistakes while somebody writes, applies a fix, completes, and activates', async () => {
    await activate(text('one'))
    const page = await visits.at('/playbooks/theft/edit')
    await editor(page).getByText('thief').waitFor()
    await visits.person.rewrite(editor(page), text('two').replace('case:', 'cse:'))
    await page.getByRole('button', { name: /`cse` is not a step kind/ }).waitFor()
    expect(await page.getByRole('button', { name: 'Activate', exact: true }).isDisabled()).toBe(true)
    expect(await visits.person.faults()).toEqual([])

    await visits.person.rewrite(editor(page), `${text('two')}# \u202e`)
    await editor(page).getByText('[U+202E]').waitFor()
    await visits.person.rewrite(editor(page), text('two'))
    await page.getByText('No mistakes.').waitFor()
    await page.keyboard.press('ControlOrMeta+End')
    await visits.person.paste('  - id: look\n    skill: mfa.sus')
    await page.keyboard.press('ControlOrMeta+Space')
    await page.getByRole('option', { name: 'mfa.suspend_mfa_user' }).waitFor()
    await page.keyboard.press('Escape')
    await visits.person.rewrite(editor(page), text('two'))
    await page.getByText('No mistakes.').waitFor()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('(replaces revision 1)').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('heading', { name: 'theft', exact: true }).waitFor()
    expect(await active('theft')).toMatchObject({ revision: 2, text: text('two') })

    await visits.person.visit('/playbooks/theft/edit')
    await visits.person.rewrite(editor(page), text('two').replace('playbook: thief', 'playbook: burglar'))
    await page.getByText('No mistakes.').waitFor()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await dialog.getByText('It takes the place of another playbook').waitFor()
    await dialog.getByText('thief no longer gets the alerts of theft.').waitFor()
    expect(await visits.person.faults()).toEqual([])
  })

  test('what somebody wrote is kept, and an activation by somebody else is noticed and never overwritten by accident', async () => {
    await activate(text('one', 'shared'))
    const page = await visits.at('/playbooks/shared/edit')
    await editor(page).getByText('thief').waitFor()
    await visits.person.rewrite(editor(page), text('mine', 'shared'))
    await page.getByText('No mistakes.').waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await editor(page).getByText('mine').waitFor()

    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByRole('dialog').getByText('(replaces revision 1)').waitFor()
    await activate(text('theirs', 'shared'))
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('dialog').getByText('playbook_changed').waitFor()
    expect(await active('shared')).toMatchObject({ revision: 2, text: text('theirs', 'shared') })
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Revision 2 became active while you were editing').waitFor()
    await page.getByRole('button', { name: 'Compare with it' }).click()
    await page.getByRole('textbox', { name: 'The active text' }).getByText('theirs').waitFor()
    await page.getByRole('button', { name: 'I have seen it' }).click()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByRole('dialog').getByText('(replaces revision 2)').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByRole('heading', { name: 'shared', exact: true }).waitFor()
    expect(await active('shared')).toMatchObject({ revision: 3, text: text('mine', 'shared') })

    // The answer to an activation is lost. The page finds out that it happened.
    await visits.person.visit('/playbooks/shared/edit')
    await editor(page).getByText('mine').waitFor()
    await visits.person.rewrite(editor(page), text('later', 'shared'))
    await page.getByText('No mistakes.').waitFor()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByRole('dialog').getByText('(replaces revision 3)').waitFor()
    const lose = async (route: Route): Promise<void> => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/platformapi/playbooks', lose, { times: 1 })
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click()
    await page.getByText('Your text is active, as revision 4').waitFor()
  })

  test('a run is replayed with an edited text, becomes a test of it, and its alert is tried without writes', async () => {
    const writes = mfa.simulator.counts.writes
    const page = await visits.at(`/playbooks/mfa_fatigue?run=${run}`)
    const [replay, results] = [page.getByRole('region', { name: 'Result of the replay' }), page.getByRole('region', { name: 'Results' })]
    await replay.getByText('It makes the same writes').waitFor()

    await page.getByRole('tab', { name: 'Test' }).click()
    await page.getByRole('button', { name: 'Begin with the chosen run' }).click()
    // A test changes nothing, and so nobody has to find out whether it was done.
    await page.route('**/platformapi/playbooks/test', (route) => route.abort(), { times: 1 })
    await page.getByRole('button', { name: 'Run the tests' }).click()
    await page.getByRole('alert').getByText('There was no answer').waitFor()
    await page.getByRole('button', { name: 'Run the tests' }).click()
    await results.getByText('1 passed, 0 failed').waitFor()
    expect(await visits.person.faults()).toEqual([])

    const standing = String((await active('mfa_fatigue'))['text'])
    await visits.person.rewrite(editor(page), standing.replace(/done\] \}(?=\s+skill: mfa\.suspend_mfa_user)/, 'skipped] }'))
    await results.getByText('You have changed the text since.').waitFor()
    await page.getByRole('button', { name: 'Run the tests' }).click()
    await results.getByText('failed', { exact: true }).waitFor()
    await results.getByRole('button', { name: /^line/ }).first().click()

    await page.getByRole('tab', { name: 'Replay' }).click()
    await replay.getByText('You have changed the text since.').waitFor()
    await page.getByRole('button', { name: 'Replay this run' }).click()
    await replay.getByText('no longer made').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Replay the last runs instead' }).click()
    await page.getByRole('button', { name: /^Replay the last/ }).click()
    await replay.getByText('1 run replayed, 1 with different writes or another outcome').waitFor()
    expect(new URL(page.url()).searchParams.has('run')).toBe(false)

    await page.getByRole('tab', { name: 'Dry run' }).click()
    await page.getByRole('combobox', { name: 'Alert', exact: true }).click()
    await page.getByRole('option', { name: alert }).click()
    await page.getByRole('button', { name: 'Dry run', exact: true }).click()
    const dry = page.getByRole('region', { name: 'Result of the dry run' })
    await dry.getByText('mfa.get_mfa_user_details').first().waitFor()
    await dry.getByText('Outcome: completed').waitFor()
    expect(await visits.person.faults()).toEqual([])
    expect(mfa.simulator.counts.writes).toBe(writes)
  })

  test('a playbook begins with an alert or a template, and is not lost when the page is left', async () => {
    const page = await visits.at(`/playbooks?new&alert=${alert}`)
    await page.getByRole('dialog').getByText('malicious-message-delivered').waitFor()
    expect(await visits.person.faults()).toEqual([])
    await page.getByRole('button', { name: 'Write it' }).click()
    await page.getByRole('heading', { name: 'Edit mfa_fatigue' }).waitFor()
    await editor(page).getByText('alert_type').first().waitFor()
    expect(new URL(page.url()).searchParams.get('alert')).toBe(alert)
    await page.goBack()
    await page.getByRole('button', { name: 'Use phishing-reported' }).click()
    await page.getByRole('heading', { name: /^Edit / }).waitFor()
    await page.getByRole('tab', { name: 'Test' }).click()
    await page.getByRole('textbox', { name: 'Tests of the playbook' }).getByText('tests').first().waitFor()
  })

  test('a key that may only read is offered no change', async () => {
    await activate(text('one', 'readonly'))
    const made = await request(mfa.admin, 'POST', '/platformapi/keys', { name: 'reader', scopes: ['playbooks:read'] })
    const page = await visits.at('/playbooks/readonly', { key: String(made['key']) })
    await page.getByRole('link', { name: 'Try changes' }).waitFor()
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Try changes' }).click()
    await page.getByText('No mistakes.').waitFor()
    await page.getByRole('tab', { name: 'Graph' }).click()
    await page.getByRole('region', { name: 'Playbook thief' }).getByText('say', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Activate' }).count()).toBe(0)
    expect(await page.getByRole('tab', { name: 'Replay' }).count()).toBe(0)
  })
})
