import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../runtime/config/index.ts'
import type { Decision, Run } from '../../runtime/domain/index.ts'
import { clientOf } from '../support/api/api-client.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'

describe.runIf(browserAtHand('answering decisions'))('decisions in the console', () => {
  let run: Run
  const tocsin = consoleOnApi(
    async ({ api, admin }) => {
      await addTenants(admin)
      run = await openWaitingRun(api, admin)
    },
    { feedClock: systemClock },
  )

  const opened = (parts: Partial<Decision> = {}): Promise<string> => openDecision(tocsin.api, run, parts)
  const stored = async (id: string): Promise<Record<string, unknown>> => (await tocsin.admin('GET', `/platformapi/decisions/${id}`)).body
  /** Opens the decision with this title. */
  const at = async (title: string, key?: string): Promise<Page> => {
    const page = await tocsin.at('/decisions', key === undefined ? {} : { key })
    await page.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    return page
  }

  test('only a valid key signs in; its cookie is hidden from scripts, and signing out removes it', async () => {
    const page = await tocsin.at('/decisions', { key: null })
    await tocsin.person.signIn('mistyped-key')
    const refusal = page.getByRole('alert')
    await refusal.waitFor()
    expect(await refusal.textContent()).toContain('mistyped')
    expect(await tocsin.person.kept()).toEqual([])

    await tocsin.person.signIn(tocsin.api.admin)
    await page.getByText('No decision is open.').waitFor()
    expect(await tocsin.person.cookies()).toBe('')
    expect(await tocsin.person.kept()).toEqual([
      expect.objectContaining({ name: 'Session', value: tocsin.api.admin, httpOnly: true, sameSite: 'Strict' }),
    ])
    expect(await page.evaluate('JSON.stringify([localStorage.length, sessionStorage.length])')).toBe('[0,0]')

    await page.reload()
    await page.getByText('No decision is open.').waitFor()
    await page.getByRole('button', { name: 'Signed in as' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    expect(await tocsin.person.kept()).toEqual([])
  })

  test('after the verdict "happened", a write in doubt continues with the answer of the system', async () => {
    const id = await opened({ kind: 'in_doubt', title: 'Did mfa.suspend_mfa_user on ada happen?' })
    const page = await at('Did mfa.suspend_mfa_user on ada happen?')
    await page.getByText('nobody knows whether it happened').waitFor()
    expect(await page.getByRole('button', { name: 'Choose an answer' }).isDisabled()).toBe(true)
    await page.getByLabel('It happened').check()
    await page.getByLabel('The answer of the system').fill('{"status": ')
    await page.getByLabel('Reason').fill('Seen in the admin console')
    await page.getByRole('button', { name: 'It happened' }).click()
    await page.getByText('is not JSON').waitFor()
    expect(await stored(id)).toMatchObject({ state: 'open', answers: [] })

    await page.getByLabel('The answer of the system').fill('{"status": "SUSPENDED"}')
    await page.getByRole('button', { name: 'It happened' }).click()
    await page.getByText('Settled', { exact: true }).waitFor()
    const answers = [{ by: 'test', verdict: 'happened', reason: 'Seen in the admin console', output: { status: 'SUSPENDED' } }]
    expect(await stored(id)).toMatchObject({ state: 'settled', answers })
    expect(await page.getByRole('region', { name: 'Answers' }).textContent()).toContain('test: It happened')
  })

  test('what somebody has typed for an answer is there again after a look at the evidence, but no answer is chosen', async () => {
    await opened({ kind: 'in_doubt', title: 'Did it happen to kurt?' })
    const page = await at('Did it happen to kurt?')
    await page.getByLabel('It happened').check()
    await page.getByLabel('The answer of the system').fill('{"status": "SUSPENDED"}')
    await page.getByLabel('Reason').fill('His manager says that')
    await page.getByRole('link', { name: run.caseId }).first().click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Did it happen to kurt?' }).waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('His manager says that')
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    await page.getByLabel('It happened').check()
    expect(await page.getByLabel('The answer of the system').inputValue()).toBe('{"status": "SUSPENDED"}')
    await page.getByLabel('Give up').check()
    await page.getByRole('button', { name: 'Give up' }).click()
    await page.getByText('Settled', { exact: true }).waitFor()
  })

  test('a write in doubt can be given up, and the page says what may happen if it is sent again', async () => {
    const id = await opened({ kind: 'in_doubt', title: 'Did it happen?' })
    const page = await at('Did it happen?')
    await page.getByText('If the first one took effect after all, the change is made twice.').waitFor()
    await page.getByLabel('Give up').check()
    await page.getByRole('button', { name: 'Give up' }).click()
    await page.getByText('Settled', { exact: true }).waitFor()
    expect(await stored(id)).toMatchObject({ answers: [{ verdict: 'give_up', reason: null }] })
  })

  test('an answer that somebody else gave in the meantime is shown', async () => {
    const id = await opened({ title: 'Suspend grace?' })
    const page = await at('Suspend grace?')
    await page.getByLabel('Approve').check()
    await tocsin.admin('POST', `/platformapi/decisions/${id}`, { verdict: 'decline', reason: 'On leave' })
    // The page may already show the other answer. Then there is no button.
    await page
      .getByRole('button', { name: 'Approve' })
      .click({ timeout: 1_000 })
      .catch(() => null)
    await page.getByText('Declined', { exact: true }).waitFor()
    await page.getByText('On leave', { exact: true }).waitFor()
    expect(await stored(id)).toMatchObject({ state: 'declined', answers: [{ verdict: 'decline' }] })
  })

  test('if several people must approve, each can approve once', async () => {
    await opened({ title: 'Suspend edsger?', approvers: 2 })
    const page = await at('Suspend edsger?')
    await page.getByText('2 different people must approve').waitFor()
    await page.getByRole('radio', { name: 'Approve' }).check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('You have answered. 1 more must approve.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  })

  test('whoever counts as an earlier approver can only decline, also in a page that was open before', async () => {
    const { body: made } = await tocsin.admin('POST', '/platformapi/keys', { name: 'second key', scopes: ['admin'] })
    const id = await opened({ title: 'Suspend frances?', approvers: 2 })
    const page = await at('Suspend frances?')
    await page.getByRole('radio', { name: 'Approve' }).check()
    await clientOf(tocsin.api.app, made.key)('POST', `/platformapi/decisions/${id}`, { verdict: 'approve' })
    await page.getByText('You cannot approve this: your key and that of an earlier approver count as one person').waitFor()
    expect(await page.getByRole('radio').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Choose an answer' }).isDisabled()).toBe(true)
    expect(await tocsin.person.faults()).toEqual([])
    await page.getByLabel('Decline').check()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Declined', { exact: true }).waitFor()
    expect(await stored(id)).toMatchObject({ state: 'declined', answers: [{ by: 'second key' }, { by: 'test' }] })
  })

  test('whoever made the keys of the other approvers is told so before they approve', async () => {
    const make = async (name: string, ask = tocsin.admin): Promise<string> =>
      (await ask('POST', '/platformapi/keys', { name, scopes: ['admin'], organizations: 'all' })).body.key
    const mara = await make('Mara')
    for (const name of ['Ann', 'Bob']) await make(name, clientOf(tocsin.api.app, mara))
    await opened({ title: 'Suspend hedy?', approvers: 2, by: ['Mara', 'Ann', 'Bob'] })
    const page = await at('Suspend hedy?', mara)
    await page.getByRole('alert').getByText('Leave the approval to them: Bob, Ann.').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await opened({ title: 'Suspend irene?', approvers: 2, by: ['Mara', 'Ann'] })
    await (await at('Suspend irene?', mara)).getByRole('alert').getByText('Without you, too few others may approve').waitFor()
    // Somebody who sees only some keys cannot know it.
    const some = await tocsin.api.addKey(['decisions:read', 'decisions:answer'])
    await opened({ title: 'Suspend joan?', approvers: 2, by: ['test'] })
    await (await at('Suspend joan?', some)).getByLabel('Approve').waitFor()
    expect(await tocsin.person.page.getByRole('alert').count()).toBe(0)
  })

  test('a key that may only read decisions sees no form and no run', async () => {
    await opened({ title: 'Suspend barbara?' })
    const page = await at('Suspend barbara?', await tocsin.api.addKey(['decisions:read']))
    await page.getByText('Your key can only read decisions.').waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'The run' }).count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a person who may not answer a decision is told so', async () => {
    await opened({ title: 'Suspend donald?', by: ['the duty manager'] })
    const page = await at('Suspend donald?')
    await page.getByText('This decision is not yours to answer. It is for the duty manager.').waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
  })

  test('one answer can be given to all decisions for a quota, each as its own request', async () => {
    const action = { step: 'act', skill: 'mfa.suspend_mfa_user', connection: { id: 'c', revision: 2, instance: 'main' }, digest: 'd' }
    const ids = await Promise.all(
      ['q-ada', 'q-grace', 'q-edsger'].map((user) =>
        opened({ kind: 'quota', title: `Suspend ${user}?`, actions: [{ ...action, target: user, input: { username: user } }] }),
      ),
    )
    const page = await at('Suspend q-grace?')
    await page.getByText('3 decisions wait for it').waitFor()
    await page.getByLabel('Decline').check()
    await page.getByLabel('give the same answer to the 2 other decisions for this quota').check()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Declined', { exact: true }).waitFor()
    await page.getByText('Other decisions for this quota: 2 answered.').waitFor()
    for (const id of ids) expect(await stored(id)).toMatchObject({ state: 'declined' })
  })

  test('calls that look alike are all shown, and the page says if an input is too large to show', async () => {
    const action = { step: 'act', skill: 'mfa.suspend_mfa_user', target: null, digest: 'd' }
    const call = (instance: string, input: Decision['actions'][number]['input']): Decision['actions'][number] => ({
      ...action,
      connection: { id: instance, revision: 2, instance },
      input,
    })
    await opened({ title: 'Suspend all?', actions: [call('main', { n: 1 }), call('second', { n: 1 }), call('second', '{"users":["ada","gra')] })
    const page = await at('Suspend all?')
    expect(await page.getByRole('article').count()).toBe(3)
    const said = await page.getByRole('article').allTextContents()
    expect(said[0]).toContain('main (revision 2), with exactly this')
    expect(said[1]).toContain('second (revision 2), with exactly this')
    expect(said[2]).toContain('with an input that is too large to show. It begins with')
  })

  test('a character that reverses the direction of text is shown by its code', async () => {
    await opened({ title: 'Suspend \u202eada?' })
    const page = await at('Suspend [U+202E]ada?')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Approval Suspend [U+202E]ada?')
  })

  test('if the key is revoked, the page shows the sign-in form', async () => {
    const key = await tocsin.api.addKey(['admin'])
    await opened({ title: 'Suspend tony?' })
    const page = await at('Suspend tony?', key)
    const keys = (await tocsin.admin('GET', '/platformapi/keys')).body.items as { id: string; created_at: number }[]
    const newest = keys[0]
    await tocsin.admin('DELETE', `/platformapi/keys/${newest?.id}`)
    // The page stays behind the form, and its parts may say that the API key is not valid.
    await page.getByRole('dialog', { name: 'Sign in again' }).getByLabel('API key').waitFor()
  })

  test('an answer whose reply is lost is recorded once, and the page says that it has arrived', async () => {
    const id = await opened({ title: 'Suspend ken?' })
    const page = await at('Suspend ken?')
    await page.route('**/platformapi/decisions/**', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByLabel('Approve').check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Your answer has arrived').waitFor()
    expect(await page.getByText('Tocsin does not answer').count()).toBe(0)
    expect(await tocsin.person.faults()).toEqual([])
    expect(await stored(id)).toMatchObject({ state: 'approved', answers: [{ verdict: 'approve' }] })
  })

  test('while everything is paused, the form says that a call is sent only afterwards', async () => {
    await opened({ title: 'Suspend brian?' })
    const { body: pause } = await tocsin.admin('POST', '/platformapi/pauses', { reason: 'Wrong suspensions' })
    const page = await at('Suspend brian?')
    await page.getByText('a call that you approve is sent only after somebody resumes it').waitFor()
    await page.getByText('“Wrong suspensions”').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
    await tocsin.admin('DELETE', `/platformapi/pauses/${pause.id}`)
    tocsin.api.clock.advance(200)
    await page.getByText('a call that you approve').waitFor({ state: 'hidden' })
  })

  test('if Tocsin does not answer, the page says so and keeps what it shows', async () => {
    await opened({ title: 'Suspend niklaus?' })
    const page = await at('Suspend niklaus?')
    await page.route('**/platformapi/decisions/**', (route) => route.abort())
    await page.getByLabel('Approve').check()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Tocsin does not answer').first().waitFor()
    await page.getByText('with exactly this').waitFor()
    await page.unroute('**/platformapi/decisions/**')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved', { exact: true }).waitFor()
  })
})
