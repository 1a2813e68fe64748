import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from '../../../runtime/app/start.ts'
import { request } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { newInstallation } from '../../support/processes/installation.ts'

const playbook = `format: 1
playbook: look
alert_type: look
description: For a test.
connections: { mail: { integration: mailsec } }
case: { title: Look, severity: low }
steps: [{ id: accounts, skill: mailsec.list_mailsec_accounts, with: { max_items: 1 } }]
`

test('a run that begins after a change of its connection uses the changed one', async () => {
  const installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const playbooks = join(installation.directory, 'playbooks')
  mkdirSync(playbooks)
  writeFileSync(join(playbooks, 'look.yaml'), playbook)
  const simulator = await startMailsecSimulator({ pki: openPki(folder), token: 'token-5', issues: 1 })
  const settings = { TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLAYBOOKS: playbooks }
  const config = readConfig({ ...installation.environment, ...settings }, { port: '0' })
  const running = await start(config, { api: true, worker: true }, createLogger({ level: 'silent' }))
  try {
    const admin = { url: running.url, key: installation.adminKey }
    const post = (path: string, body: object) => request(admin, 'POST', `/platformapi/${path}`, body)
    await post('organizations', { code: 'ACME', name: 'Acme' })
    await post('providers', { code: 'P', name: 'P' })
    const credentials = { base_url: simulator.url, api_token: 'token-0' }
    const made = await post('connections', { instance: 'mail', integration: 'mailsec', organization_code: 'ACME', credentials })
    const at = `/platformapi/connections/${String(made['id'])}`
    const investigate = async () => {
      const body = { alert_content: '{}', alert_provider: 'P', organization_code: 'ACME', alert_type: 'look' }
      const { alert_uuid } = await post('alerts', body)
      const { runs } = await request(admin, 'GET', `/platformapi/alerts/${String(alert_uuid)}`, undefined, { prefer: 'wait=200' })
      return runs
    }
    expect(await investigate()).toMatchObject([{ state: 'failed', failure: { code: 'credentials_rejected' } }])
    for (const revision of [1, 2, 3, 4]) {
      await request(admin, 'PATCH', at, { revision, credentials: { api_token: `token-${revision}` } })
      expect(await investigate()).toMatchObject([{ state: 'failed', failure: { code: 'credentials_rejected' } }])
    }
    await request(admin, 'PATCH', at, { revision: 5, credentials: { api_token: 'token-5' } })
    expect(await investigate()).toMatchObject([{ state: 'completed' }])
  } finally {
    await running.stop()
    await simulator.close()
    await installation.remove()
  }
})
