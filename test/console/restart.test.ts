import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request, type Target } from '../../runtime/cli/client.ts'
import { visiting } from '../support/console/visits.ts'
import { type Installation, newInstallation, shippedPlugin } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { browserAtHand } from '../support/processes/windows.ts'

const playbook = 'format: 1\nplaybook: noted\nalert_type: noted\nsteps:\n  - id: say\n    case: { note: seen }\n'

describe.runIf(browserAtHand('a restart under an open page'))('a restart under an open page', () => {
  let installation: Installation
  let tocsin: TocsinProcess
  let admin: Target
  let caseId: string

  const start = async (port?: string): Promise<void> => {
    const environment = {
      ...installation.environment,
      TOCSIN_PLUGINS: shippedPlugin('mfa'),
      TOCSIN_PLAYBOOKS: join(installation.directory, 'playbooks'),
    }
    tocsin = await spawnTocsin('up', environment, undefined, undefined, port)
  }

  beforeAll(async () => {
    installation = newInstallation('embedded')
    mkdirSync(join(installation.directory, 'playbooks'))
    writeFileSync(join(installation.directory, 'playbooks/noted.yaml'), playbook)
    await start()
    admin = { url: tocsin.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(admin, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
    const alert = { alert_content: '{}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'noted' }
    const posted = await request(admin, 'POST', '/platformapi/alerts', alert, { prefer: 'wait=200' })
    caseId = String((await request(admin, 'GET', `/platformapi/alerts/${posted['alert_id']}`))['case_id'])
  })
  afterAll(async () => {
    await tocsin?.stop()
    await installation?.remove()
  })
  const visits = visiting(() => admin)

  test('the page says that the server is gone, keeps what somebody writes, and continues by itself when the server is back', async () => {
    const page = await visits.at('/decisions', { key: null })
    await visits.person.signIn(installation.adminKey)
    await page.getByRole('heading', { name: 'Decisions' }).waitFor()
    await visits.person.visit(`/cases/${caseId}`)
    const sign = (word: string | RegExp): Promise<void> => page.locator('.live:visible', { hasText: word }).waitFor()
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await sign('Live')
    await comment.fill('She was in the office: ')
    // Only a page that was not loaded again still knows this.
    await page.evaluate('globalThis.known = true')

    await tocsin.kill()
    await page.getByRole('alert').getByText('Tocsin does not answer').waitFor()
    await sign(/Reconnecting|Offline/)
    await comment.pressSequentially('ask her again')
    expect(await visits.person.faults()).toEqual([])

    await start(new URL(admin.url).port)
    await sign('Live')
    await page.getByText('Tocsin does not answer').waitFor({ state: 'hidden' })
    expect(await comment.inputValue()).toBe('She was in the office: ask her again')
    // The feed of the new process tells of changes.
    await request(admin, 'PATCH', `/platformapi/cases/${caseId}`, { severity: 'critical' })
    await expect.poll(() => page.getByLabel('Severity').inputValue(), { timeout: 100_000 }).toBe('critical')
    await sign('Live')
    // The person is still signed in.
    await comment.press('Control+Enter')
    await page.getByRole('region', { name: 'Timeline' }).getByText('She was in the office: ask her again').waitFor()
    await expect.poll(() => comment.inputValue()).toBe('')
    expect(await page.evaluate('globalThis.known')).toBe(true)
  })
})
