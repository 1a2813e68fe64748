import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MfaSettings, type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { decideUntilEnded } from './api/decisions.ts'
import { type Installation, newInstallation } from './processes/installation.ts'

/** The users of the simulated provider. */
export type MfaClient = Pick<MfaSettings, 'orgAlias' | 'token' | 'key'>

export const mfaClient: MfaClient = { orgAlias: 'acme-alias', token: 'token', key: Buffer.alloc(32, 'k').toString('base64') }

/** The credentials of a client of the simulated MFA provider. */
export function mfaCredentials({ idpUrl }: Pick<MfaSimulator, 'idpUrl'>, { orgAlias, token, key }: MfaClient = mfaClient) {
  return { idp_url: idpUrl, org_alias: orgAlias, token, use_base64_key: key }
}

/** A Tocsin in this process with the shipped plugins and playbooks, an alert provider, and the organization ACME with a simulated MFA provider. */
export interface MfaSystem {
  readonly installation: Installation
  readonly simulator: MfaSimulator
  readonly admin: Target
  readonly connection: Answer
  stop(): Promise<void>
}

export async function startMfaSystem(provider: string, client: MfaClient = mfaClient): Promise<MfaSystem> {
  const installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const simulator = await startMfaSimulator({ pki: openPki(folder), ...client, strict: true })
  const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(folder) }, { port: '0' })
  const running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
  const admin = { url: running.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/providers', { code: provider, name: provider })
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  const made = { instance: 'mfa', integration: 'mfa', organization_code: 'ACME', credentials: mfaCredentials(simulator, client) }
  const connection = await request(admin, 'POST', '/platformapi/connections', made)
  return {
    installation,
    simulator,
    admin,
    connection,
    async stop() {
      await running.stop()
      await simulator.close()
      await installation.remove()
    },
  }
}

/** Completes a run of the shipped playbook mfa-fatigue, which suspends alan.turing@acme.example after an approval. Returns its run_id and its alert. */
export async function suspendUser({ admin }: MfaSystem, provider: string): Promise<{ readonly run: string; readonly alert: Answer }> {
  const sample = JSON.parse(readFileSync(join(import.meta.dirname, '../demo/story/alerts/4-mfa-fatigue.json'), 'utf8')) as {
    readonly content: object
  }
  const body = { alert_content: JSON.stringify(sample.content), alert_provider: provider, organization_code: 'ACME', alert_type: 'mfa_fatigue' }
  const posted = await request(admin, 'POST', '/platformapi/alerts', body)
  const { alert } = await decideUntilEnded(admin, posted['alert_id'], 'approve')
  return { run: `${alert['alert_uuid']}-r1`, alert }
}
