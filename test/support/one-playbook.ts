import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { caFile } from '../simulators/pki.ts'
import { askNobody } from './api/policy.ts'
import type { Installation } from './processes/installation.ts'

/** A Tocsin with the shipped plugins, one playbook of the test, one organization whose policy asks nobody, and one provider. */
export class OnePlaybook {
  readonly admin: Target
  readonly #running: Running
  readonly #type: string

  private constructor(running: Running, admin: Target, type: string) {
    this.#running = running
    this.admin = admin
    this.#type = type
  }

  /**
   * @param type the alert type of the playbook
   * @param pki the folder with the CA of the simulators
   */
  static async start(installation: Installation, pki: string, type: string, playbook: string): Promise<OnePlaybook> {
    const playbooks = join(installation.directory, 'playbooks')
    mkdirSync(playbooks)
    writeFileSync(join(playbooks, 'playbook.yaml'), playbook)
    const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(pki), TOCSIN_PLAYBOOKS: playbooks }, { port: '0' })
    const running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
    const admin = { url: running.url, key: installation.adminKey }
    await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await askNobody(admin, 'ACME')
    await request(admin, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
    return new OnePlaybook(running, admin, type)
  }

  /** Creates the organization's connection for an integration. */
  async connect(integration: string, credentials: object): Promise<void> {
    await request(this.admin, 'POST', '/platformapi/connections', { instance: integration, integration, organization_code: 'ACME', credentials })
  }

  /**
   * Posts an alert with this content, and returns the ended alert with its case.
   * @param meanwhile does something while the request waits for the end
   */
  async investigate(content: object, meanwhile?: () => Promise<void>): Promise<{ readonly alert: Answer; readonly found: Answer }> {
    const body = { alert_content: JSON.stringify(content), alert_provider: 'P', organization_code: 'ACME', alert_type: this.#type }
    const [posted] = await Promise.all([request(this.admin, 'POST', '/platformapi/alerts', body, { prefer: 'wait=200' }), meanwhile?.()])
    const alert = await request(this.admin, 'GET', `/platformapi/alerts/${posted['alert_id']}`)
    return { alert, found: await request(this.admin, 'GET', `/platformapi/cases/${alert['case_id']}`) }
  }

  stop(): Promise<void> {
    return this.#running.stop()
  }
}
