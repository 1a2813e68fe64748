import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { hashKey, newKeyValue } from '../../runtime/api/index.ts'
import { systemIds } from '../../runtime/config/index.ts'
import { asId, type KeyId, type Run, systemScope } from '../../runtime/domain/index.ts'
import { addTenants, openDecision, openWaitingRun } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { type Opening, widths } from '../support/processes/person.ts'
import { browserAtHand } from '../support/processes/windows.ts'
import { startTcpProxy, type TcpProxy } from '../support/stores/tcp-proxy.ts'

describe.runIf(browserAtHand('the live console'))('the live console', () => {
  let run: Run
  let proxy: TcpProxy
  // The browser reaches the server through a proxy that can be cut.
  afterAll(() => proxy?.close())
  const tocsin = consoleOnApi(
    async ({ api, admin }) => {
      await addTenants(admin)
      run = await openWaitingRun(api, admin)
    },
    {
      async reach(url) {
        const { port } = new URL(url)
        proxy = await startTcpProxy(() => ({ host: '127.0.0.1', port: Number(port) }))
        return `http://127.0.0.1:${proxy.port}`
      },
    },
  )
  afterEach(() => proxy.mend())

  const sign = (word: string | RegExp): Promise<void> => tocsin.person.page.locator('.live:visible', { hasText: word }).waitFor()
  /** Opens a decision, and lets the feed tell so. */
  const ask = async (title: string): Promise<string> => {
    const id = await openDecision(tocsin.api, run, { title })
    tocsin.api.clock.advance(200)
    return id
  }
  /** Lets time pass until something shows: the server answers a wrong key late. */
  const passing = async (shown: Locator): Promise<void> => {
    while (!(await shown.isVisible())) tocsin.api.clock.advance(1_000)
  }
  const opened = async (opening: Opening = {}): Promise<Page> => {
    const page = await tocsin.at('/decisions', opening)
    await sign('Live')
    return page
  }

  test('what happens shows at once', async () => {
    const page = await opened()
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    await ask('May Ada be suspended?')
    await page.getByRole('link', { name: 'May Ada be suspended?' }).waitFor()
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('while the server is away, the page says so and keeps what was typed; then it shows what has happened meanwhile', async () => {
    const page = await opened()
    await ask('May Bob be suspended?')
    await page.getByRole('link', { name: 'May Bob be suspended?' }).click()
    const reason = page.getByRole('textbox').first()
    await reason.fill('Called him back')
    proxy.cut()
    await sign(/Reconnecting|Offline/)
    await page.getByRole('alert').getByText('Tocsin does not answer').first().waitFor()
    await sign('Offline')
    expect(await tocsin.person.faults()).toEqual([])
    await ask('May Carol be suspended?')
    proxy.mend()
    await sign('Live')
    await page.getByText('What you have typed stays here').waitFor({ state: 'hidden' })
    expect(await reason.inputValue()).toBe('Called him back')
    await page.getByRole('navigation').getByRole('link', { name: 'Decisions' }).click()
    await page.getByRole('link', { name: 'May Carol be suspended?' }).waitFor()
  })

  test('a page whose stream falls silent does not say that it is live, but that nobody answers', async () => {
    const page = await opened({ once: true })
    await page.clock.install()
    await page.reload()
    await sign('Live')
    // As from a server that is stopped: it takes requests, and says nothing.
    await page.route('**/platformapi/**', () => new Promise(() => {}))
    await page.clock.pauseAt(Date.now() + 13_000)
    await sign('Reconnecting')
    await page.clock.runFor(5_000)
    await sign('Offline')
    await page.getByRole('alert').getByText('Tocsin does not answer').waitFor()
  })

  test('a page that is shown again after a while does not say that it is live while nobody answers', async () => {
    const page = await opened({ once: true })
    await page.clock.install()
    await page.addInitScript('globalThis.EventSource = class extends EventSource { constructor(url) { super(url); globalThis.feed = this } }')
    await page.reload()
    await sign('Live')
    const show = (hidden: boolean): Promise<void> =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} })
        document.dispatchEvent(new Event('visibilitychange'))
      }`)
    await show(true)
    for (const time of [9_000, 9_000]) {
      await page.clock.runFor(time)
      await page.evaluate('feed.dispatchEvent(new MessageEvent("alive"))')
    }
    await page.clock.runFor(3_000)
    expect(await page.evaluate('feed.readyState === EventSource.CLOSED')).toBe(true)
    await page.route('**/platformapi/**', () => new Promise(() => {}))
    await show(false)
    await page.clock.runFor(2_100)
    await sign('Reconnecting')
    await page.clock.runFor(5_000)
    await sign('Offline')
    await page.getByRole('alert').getByText('Tocsin does not answer').waitFor()
  })

  test('after a restart the page reads everything again', async () => {
    const page = await opened()
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    proxy.cut()
    await sign(/Reconnecting|Offline/)
    // The feed forgets, as after a restart.
    tocsin.api.clock.advance(61_000)
    await ask('May Dave be suspended?')
    proxy.mend()
    await page.getByRole('link', { name: 'May Dave be suspended?' }).waitFor()
  })

  test('when the session ends, the page asks for a key and continues where it was', async () => {
    const first = await tocsin.api.addKey(['decisions:read', 'decisions:answer', 'runs:read', 'cases:read'])
    const found = await tocsin.api.store.principals.keyByHash(systemScope, hashKey(first))
    if (!found) throw new Error('no key')
    await ask('May Eve be suspended?')
    const page = await opened({ key: first })
    await page.getByRole('link', { name: 'May Eve be suspended?' }).click()
    const reason = page.getByRole('textbox').first()
    await reason.fill('Her manager agrees')
    const address = page.url()

    await tocsin.admin('DELETE', `/platformapi/keys/${found.key.id}`)
    tocsin.api.clock.advance(200)
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await passing(dialog)
    expect(await tocsin.person.faults()).toEqual([])
    const second = newKeyValue(systemIds)
    const id = asId<KeyId>(systemIds.uuid())
    await tocsin.api.store.principals.addKey(systemScope, { ...found.key, id, hash: hashKey(second) })
    await dialog.getByLabel('API key').fill(second)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(page.url()).toBe(address)
    expect(await reason.inputValue()).toBe('Her manager agrees')
    await sign('Live')
  })

  test('after somebody has signed in again, a note of a refused change says that it was not done, and only they see it', async () => {
    const { caseId } = await openWaitingRun(tocsin.api, tocsin.admin)
    const page = await tocsin.at(`/cases/${caseId}`)
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    const refused = { code: 'key_invalid', status: 401, title: 'The key is not valid', detail: 'It was revoked.', remedy: 'Sign in again.' }
    // Only the change is refused: if the page read something meanwhile, the dialog would be in the way of the button.
    const changeThenSignIn = async (value: string): Promise<void> => {
      await page.route(`**/platformapi/cases/${caseId}`, (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 401, json: refused }) : route.fallback(),
      )
      await page.getByRole('button', { name: 'Assign to me' }).click()
      await dialog.getByLabel('API key').fill(value)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await dialog.getByRole('button', { name: 'Sign in' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await changeThenSignIn(tocsin.api.admin)
    const note = page.getByRole('alert').filter({ hasText: `${caseId} was not changed` })
    await note.getByText('Your session had ended, so Tocsin did not do it.').waitFor()
    expect(await page.getByText('key is not valid').count()).toBe(0)
    // Somebody else signs in next.
    await changeThenSignIn(await tocsin.api.addKey(['cases:read']))
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    expect(await page.getByText('was not changed').count()).toBe(0)
  })

  test('whoever signs in with another key sees nothing of the one before', async () => {
    const { body: key } = await tocsin.admin('POST', '/platformapi/keys', { name: 'leaver', scopes: ['decisions:read'] })
    await ask('May Frank be suspended?')
    const page = await opened({ key: key.key })
    await page.getByRole('link', { name: 'May Frank be suspended?' }).waitFor()
    await tocsin.admin('DELETE', `/platformapi/keys/${key.id}`)
    tocsin.api.clock.advance(200)
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await passing(dialog)
    await dialog.getByLabel('API key').fill(await tocsin.api.addKey(['alerts:read']))
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your key may not see this page' }).waitFor()
    expect(await page.getByText('May Frank be suspended?').count()).toBe(0)
  })

  test('when somebody signs out or in with another key, the other windows of the browser follow', async () => {
    const { body: key } = await tocsin.admin('POST', '/platformapi/keys', { name: 'Nora', scopes: ['admin'] })
    const { caseId } = await openWaitingRun(tocsin.api, tocsin.admin)
    const page = await tocsin.at(`/cases/${caseId}`)
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Not sent yet')
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Signed in as test' }).press('Enter')
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    const signIn = async (value: string): Promise<void> => {
      await other.getByLabel('API key', { exact: true }).fill(value)
      await other.getByRole('button', { name: 'Sign in' }).click()
    }
    await signIn(tocsin.api.admin)
    await dialog.waitFor({ state: 'hidden' })
    expect(await comment.inputValue()).toBe('Not sent yet')
    await other.getByRole('button', { name: 'Signed in as test' }).press('Enter')
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await signIn(key.key)
    await page.getByRole('button', { name: 'Signed in as Nora' }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'You are Nora here now' }).waitFor()
    // What the other person has typed is not hers.
    expect(await comment.inputValue()).toBe('')
    // If Tocsin does not say who is signed in, the page does not go on under a name that may be wrong.
    await page.route('**/console/me', (route) => route.abort())
    await other.getByRole('button', { name: 'Signed in as Nora' }).press('Enter')
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await dialog.waitFor()
    await other.close()
  })

  test('the palette is accessible, and fits every window', async () => {
    const page = await opened()
    for (const width of Object.values(widths)) {
      await tocsin.person.resize(width)
      await page.getByRole('button', { name: 'Go to' }).first().click()
      await page.getByLabel('What to go to').fill('ACME')
      await page.getByRole('button', { name: 'ACME: its cases' }).waitFor()
      expect(await tocsin.person.faults()).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByLabel('What to go to').waitFor({ state: 'hidden' })
    }
  })

  test('the palette leads to objects by their id or text, with the keyboard alone', async () => {
    const id = await ask('May Grace be suspended?')
    await tocsin.admin('POST', '/platformapi/keys', { name: 'night shift', scopes: ['cases:read'] })
    await tocsin.admin('PATCH', `/platformapi/cases/${run.caseId}`, { assignee: 'Priya Raman' })
    const page = await opened()
    const search = page.getByLabel('What to go to')
    await page.keyboard.press('Control+k')
    await search.pressSequentially('grace')
    await page.getByRole('button', { name: 'May Grace be suspended?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/decisions/${id}`)
    await page.keyboard.press('Control+k')
    // Enter comes before the results, and the words of the id are in an alert too.
    await tocsin.admin('POST', '/platformapi/alerts', {
      alert_content: JSON.stringify({ title: `About ${run.caseId}` }),
      alert_provider: 'EDR',
      organization_code: 'ACME',
    })
    await search.pressSequentially(run.caseId)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/cases/${run.caseId}`)
    await page.keyboard.press('Control+k')
    await search.pressSequentially('settings')
    await page.getByRole('button', { name: 'Settings', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Settings: API keys' }).waitFor()
    await search.fill('other')
    await page.getByRole('button', { name: 'OTHER OTHER: its cases' }).waitFor()
    await search.fill('night')
    await page.getByRole('button', { name: 'night shift' }).waitFor()
    await search.fill('raman')
    await page.getByRole('button', { name: 'Priya Raman their cases' }).click()
    await page.waitForURL('**/console/cases?assignee=Priya+Raman')
  })

  test('the palette finds each of many keys and decisions, and says so if it has not looked through all', async () => {
    const id = await ask('May Alan be suspended?')
    await tocsin.admin('POST', '/platformapi/keys', { name: 'oldest of many', scopes: ['cases:read'] })
    for (let at = 0; at < 200; at += 1) {
      await tocsin.admin('POST', '/platformapi/keys', { name: `source ${at}`, scopes: ['cases:read'] })
      await openDecision(tocsin.api, run, { title: `Flood ${at}` })
    }
    // The people with new keys are known after some seconds.
    tocsin.api.clock.advance(5_001)
    const page = await opened()
    await page.keyboard.press('Control+k')
    const search = page.getByLabel('What to go to')
    await search.fill('oldest of')
    await page.getByRole('button', { name: 'oldest of many', exact: true }).waitFor()
    await page.getByRole('button', { name: 'oldest of many their cases' }).waitFor()
    await search.fill('alan')
    await page.getByRole('button', { name: 'May Alan be suspended?' }).waitFor()
    await search.fill(id)
    await page.getByRole('button', { name: 'May Alan be suspended?' }).waitFor()
    expect(await page.getByText('Looked through only').count()).toBe(0)
    await page.route('**/platformapi/decisions?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), next_cursor: 'more' } })
    })
    await page.reload()
    await sign('Live')
    await page.keyboard.press('Control+k')
    await search.fill('nobody')
    await page.getByText('Looked through only the 1,000 most urgent open decisions.').waitFor()
    expect(await tocsin.person.faults()).toEqual([])
  })

  test('the palette offers nothing that the key may not see', async () => {
    const page = await opened({ key: await tocsin.api.addKey(['alerts:read']) })
    await page.keyboard.press('Control+k')
    await page.getByLabel('What to go to').fill('s')
    await page.getByRole('button', { name: 'Alerts' }).waitFor()
    expect(await page.getByRole('button', { name: 'Cases' }).count()).toBe(0)
    await page.getByLabel('What to go to').fill('grace')
    await page.getByRole('button', { name: 'All alerts with grace' }).waitFor()
    await page.getByText('Nothing found').waitFor()
    expect(await page.getByText('May Grace be suspended?').count()).toBe(0)
    await page.getByLabel('What to go to').fill('key')
    await page.getByRole('button', { name: 'All alerts with key' }).waitFor()
    expect(await page.getByRole('button', { name: 'Settings: API keys' }).count()).toBe(0)
  })
})
