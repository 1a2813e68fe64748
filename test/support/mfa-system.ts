import { join } from 'node:path'
import { start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MfaSettings, type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { caFile, openPki } from '../simulators/pki.ts'
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
