import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import { type BrowserSimulator, idOf, startBrowserSimulator } from '../../simulators/browser/index.ts'
import { openPki } from '../../simulators/pki.ts'
import { OnePlaybook } from '../../support/one-playbook.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'

/** A playbook that uses the browser connector, from the alert to the case, over HTTP and HTTPS. */
const playbook = `format: 1
playbook: browser-detection
alert_type: browser_detection
inputs:
  detection: { type: string, from: [content.detection], required: true }
  app: { type: string, from: [content.app], required: true }
connections:
  browser: { integration: browser }
case: { title: 'Detection {{ inputs.detection }}', severity: medium }
steps:
  - id: detection
    skill: browser.get_browser_detection
    with: { detection_id: '{{ inputs.detection }}' }
  - id: accounts
    skill: browser.list_browser_accounts
    with: { employee_id: '{{ steps.detection.output.detection.employeeId }}' }
  - id: app
    skill: browser.update_browser_app
    with: { app_id: '{{ inputs.app }}', approval_status: NOT_APPROVED }
  - id: archive
    skill: browser.archive_browser_detection
    with: { detection_id: '{{ inputs.detection }}' }
verdict: { summary: '{{ steps.accounts.output.accounts | size }} accounts of the employee' }
`
const key = 'canary-key-of-browser'
let installation: Installation
let simulator: BrowserSimulator
let tocsin: OnePlaybook

beforeAll(async () => {
  installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  simulator = await startBrowserSimulator({ pki: openPki(pki), key, apiPath: '/v1', accounts: 900, strict: true })
  tocsin = await OnePlaybook.start(installation, pki, 'browser_detection', playbook)
  await tocsin.connect('browser', { api_key: key, base_url: simulator.url, api_path: 'v1', company_id: 'company-1' })
})
beforeEach(() => simulator.setLevel('full_access'))
afterAll(async () => {
  await tocsin?.stop()
  await simulator?.close()
  await installation?.remove()
})

const investigate = (detection: string, app: string): ReturnType<OnePlaybook['investigate']> => tocsin.investigate({ detection, app })

test('a detection is looked up, its app loses its approval, and the key appears nowhere', async () => {
  const { alert, found } = await investigate(idOf('d', 1), idOf('b', 1))
  expect(alert).toMatchObject({ investigation_status: 15 })
  expect(JSON.stringify(found)).toContain('225 accounts of the employee')
  expect(simulator.find('apps', idOf('b', 1))?.approvalStatus).toBe('NOT_APPROVED')
  expect(simulator.find('detections', idOf('d', 1))?.archived).toBe(true)
  expect(JSON.stringify([alert, found, await request(tocsin.admin, 'GET', '/platformapi/connections')])).not.toContain(key)
})

test('a write that got a 429 is repeated after the wait, and takes effect once', async () => {
  simulator.fail({ failure: 'rate_limited', method: 'PATCH', retryAfter: 1 })
  const { alert } = await investigate(idOf('d', 2), idOf('b', 2))
  expect(alert).toMatchObject({ investigation_status: 15 })
  expect(simulator.writesOf(idOf('b', 2))).toBe(1)
})

test('a read-only key can read; the run fails at the write and says what to do', async () => {
  simulator.setLevel('read_only')
  const { found } = await investigate(idOf('d', 2), idOf('b', 3))
  expect(simulator.writesOf(idOf('b', 3))).toBe(0)
  expect(JSON.stringify(found)).toContain('key_read_only')
})

test('many runs at once stay within the rate limit', async () => {
  const before = simulator.exchanges.length
  await Promise.all(Array.from({ length: 8 }, () => investigate(idOf('d', 3), idOf('b', 3))))
  const statuses = simulator.exchanges.slice(before).map(({ status }) => status)
  expect(statuses.length).toBeGreaterThanOrEqual(8 * 4)
  expect(statuses).not.toContain(429)
})
