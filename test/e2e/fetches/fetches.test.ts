import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { type BrowserSimulator, idOf, startBrowserSimulator } from '../../simulators/browser/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { tocsin } from '../../support/processes/in-process.ts'
import { backendsAtHand, type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../../support/processes/tocsin-process.ts'
import { until } from '../../support/until.ts'

/* Fetches the detections of the browser-security platform with a real process, from the command line to the alerts. */

const file = `name: Detections of Acme
organization_code: ACME
connection: browser
skill: list_browser_detections
input: { created_after: '{{ since.seconds }}', archived: false, max_items: 1 }
items_at: /detections
alert_provider: BROWSER
alert_type: browser_detection
alert_type_at: /detectionType
idempotency_key_at: /id
created_at_source_at: /creationTimestamp
overlap_seconds: 0
every_seconds: 10
since: 0
`

describe.each(backendsAtHand('fetches of alerts'))('%s', (backends) => {
  let installation: Installation
  let simulator: BrowserSimulator
  let process: TocsinProcess
  let admin: Target
  let fetch: Answer

  beforeAll(async () => {
    installation = newInstallation(backends)
    const pki = join(installation.directory, 'pki')
    simulator = await startBrowserSimulator({ pki: openPki(pki), key: 'k', strict: true })
    const playbooks = join(installation.directory, 'playbooks')
    mkdirSync(playbooks)
    Object.assign(installation.environment, { TOCSIN_CA_FILE: caFile(pki), TOCSIN_PLUGINS: shippedPlugin('browser'), TOCSIN_PLAYBOOKS: playbooks })
    await startProcess()
    await request(admin, 'POST', '/platformapi/providers', { code: 'BROWSER', name: 'Browser security' })
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    const credentials = { api_key: 'k', base_url: simulator.url }
    await request(admin, 'POST', '/platformapi/connections', { instance: 'browser', integration: 'browser', organization_code: 'ACME', credentials })
  })
  afterAll(async () => {
    await process?.stop()
    await simulator?.close()
    await installation?.remove()
  })

  async function startProcess(): Promise<void> {
    process = await spawnTocsin('up', installation.environment)
    admin = { url: process.url, key: installation.adminKey }
  }
  const cli = (...words: string[]) => tocsin(['fetch', ...words, '--url', admin.url, '--key', admin.key])
  /** Writes the file with some of its text replaced, and returns its path. */
  const written = (...changes: readonly (readonly [string, string])[]): string => {
    const path = join(installation.directory, 'fetch.yaml')
    writeFileSync(
      path,
      changes.reduce((text, [from, to]) => text.replace(from, to), file),
    )
    return path
  }
  const alerts = async (): Promise<Answer[]> => (await request(admin, 'GET', '/platformapi/alerts?sort=created_at'))['items'] as Answer[]
  const shown = (): Promise<Answer> => request(admin, 'GET', `/platformapi/fetches/${fetch['id']}`)
  /** Resolves when an attempt has ended that began after this call. */
  const attempted = async (): Promise<Answer> => {
    const before = (await shown())['last_attempt'] as Answer | null
    await cli('now', String(fetch['id']))
    return until(async () => {
      const { last_attempt: last } = await shown()
      return (last as Answer | null)?.['ended_at'] !== before?.['ended_at'] && (last as Answer)
    })
  }

  test('a trial shows the alerts and what would do harm, and stores nothing', async () => {
    const { out, code } = await cli('try', written())
    expect(code).toBe(0)
    expect(out).toContain(`PHISHING  ${idOf('d', 1)}`)
    expect(out).toContain('warning: The skill stopped at its limit')
    expect(await alerts()).toEqual([])
    expect((await request(admin, 'GET', '/platformapi/fetches'))['items']).toEqual([])
  })

  test.each([
    ['input: { created_after', 'input: { created_aftr', 'input'],
    ['since.seconds', 'since.secnds', 'input.created_after'],
    ['{{ since.seconds }}', '{{ since.seconds', 'input.created_after'],
    ['{{ since.seconds }}', '{{ since.iso }}', 'input.created_after'],
    ['list_browser_detections', 'delete_browser_account', 'skill'],
    ['list_browser_detections', 'list_nothing', 'skill'],
    ['BROWSER', 'NOBODY', 'alert_provider'],
    ['every_seconds: 10', 'every_seconds: 9', 'every_seconds'],
    ['idempotency_key_at: /id', 'idempotency_key_at: id', 'idempotency_key_at'],
  ])('with %s as %s, it is refused, and the answer names %s', async (from, to, field) => {
    const { err, code } = await cli('add', written([from, to]))
    expect(code).not.toBe(0)
    expect(err).toContain(field)
    expect((await request(admin, 'GET', '/platformapi/fetches'))['items']).toEqual([])
  })

  test('a fetch whose skill stops at its limit says so, and stores what it got', async () => {
    const { out, code } = await cli('add', written(), '--json')
    expect(code).toBe(0)
    fetch = JSON.parse(out) as Answer
    const failed = await until(async () => {
      const { last_attempt: last } = await shown()
      return last as Answer | null
    })
    expect(failed).toMatchObject({ found: 1, new: 1, failure: { code: 'fetch_incomplete' } })
    expect(await shown()).toMatchObject({ failures: 1, since: 0, fetched_at: null })
    expect(await alerts()).toMatchObject([{ alert_type: 'PHISHING', alert_provider: 'BROWSER', organization_code: 'ACME' }])
    const { out: list } = await cli('list')
    expect(list).toContain('fails: fetch_incomplete')
  })

  test('with a higher limit, each detection becomes one alert, however often it is fetched', async () => {
    const { code } = await cli('change', String(fetch['id']), written(['max_items: 1', 'max_items: 1000'], ['since: 0\n', '']))
    expect(code).toBe(0)
    const last = await until(async () => {
      const { last_attempt: attempt, failures } = await shown()
      return failures === 0 && (attempt as Answer)
    })
    expect(last).toMatchObject({ found: 2, new: 1, repeated: 1, failure: null })
    const two = await alerts()
    expect(two.map((alert) => alert['alert_type'])).toEqual(['PHISHING', 'STOLEN_CREDENTIALS'])
    // The newest detection counts, by the clock of the platform. Nothing is newer.
    expect((await shown())['since']).toBe(two[1]?.['created_at_source'])
    expect(await attempted()).toMatchObject({ found: 0, failure: null })
    await cli('again', String(fetch['id']), '--since', '1970-01-01T00:00:00Z')
    await until(async () => ((await shown())['last_attempt'] as Answer)['repeated'] === 2)
    expect(await alerts()).toHaveLength(2)
  })

  test('while the platform does not answer, it fails and loses nothing', async () => {
    simulator.faults.add({ fault: { kind: 'answer', reply: { status: 503, body: '' }, effect: 'none' }, times: 1, path: '/api/v1/detections' })
    const before = await shown()
    expect(await attempted()).toMatchObject({ failure: { code: 'vendor_unavailable' } })
    expect(await shown()).toMatchObject({ failures: 1, since: before['since'], fetched_at: before['fetched_at'] })
    expect(await attempted()).toMatchObject({ failure: null })
    expect(await shown()).toMatchObject({ failures: 0 })
  })

  test('a process that is killed in the middle of an attempt leaves it to the next one, and no alert is doubled', async () => {
    simulator.faults.add({ fault: { kind: 'hold' }, times: 1, path: '/api/v1/detections' })
    const { requests } = simulator.counts
    await cli('again', String(fetch['id']), '--since', '1970-01-01T00:00:00Z')
    await until(async () => simulator.counts.requests > requests)
    await process.kill()
    await startProcess()
    await until(async () => ((await shown())['last_attempt'] as Answer)['repeated'] === 2)
    expect(await alerts()).toHaveLength(2)
  })

  test('a disabled fetch asks nothing, and a removed one is gone', async () => {
    const { out } = await cli('disable', String(fetch['id']), '--json')
    expect(JSON.parse(out)).toMatchObject({ enabled: false })
    const { requests } = simulator.counts
    await cli('now', String(fetch['id']))
    expect((await cli('remove', String(fetch['id']))).code).toBe(0)
    expect((await cli('show', String(fetch['id']))).err).toContain('fetch_unknown')
    expect(simulator.counts.requests).toBe(requests)
    expect(await alerts()).toHaveLength(2)
  })
})
