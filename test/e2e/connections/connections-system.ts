import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, Refused, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'

/* A Tocsin with the simulated e-mail-security platform over HTTPS. The tests of this folder share this file. */

export let installation: Installation
export let simulator: MailsecSimulator
export let running: Running
export let admin: Target
export let acme: Target
export let reader: Target

export async function newKey(scopes: readonly string[], organizations: readonly string[]): Promise<Target> {
  const { key } = await request(admin, 'POST', '/platformapi/keys', { name: 'test', scopes, organizations })
  return { url: running.url, key: String(key) }
}

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const pki = openPki(folder)
  simulator = await startMailsecSimulator({ pki, token: 'right-token', issues: 5 })
  const plugins = [join(import.meta.dirname, '../../../plugins'), join(import.meta.dirname, 'plugins')].join(',')
  const config = readConfig({ ...installation.environment, TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLUGINS: plugins }, { port: '0' })
  running = await start(config, { api: true, worker: false }, createLogger({ level: config.logLevel, destination: process.stderr }))
  admin = { url: running.url, key: installation.adminKey }
  for (const code of ['ACME', 'OTHER']) await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
  acme = await newKey(['connections:read', 'connections:write'], ['ACME'])
  reader = await newKey(['connections:read'], ['ACME'])
})
beforeEach(() => {
  simulator.faults.clear()
  simulator.setRole('issue_responder')
})
afterAll(async () => {
  await running?.stop()
  await simulator?.close()
  await installation?.remove()
})

let instances = 0
export async function create(parts: object = {}, credentials: object = {}): Promise<Answer> {
  instances += 1
  return request(admin, 'POST', '/platformapi/connections', {
    instance: `mail ${instances}`,
    integration: 'mailsec',
    organization_code: 'ACME',
    credentials: { base_url: simulator.url, api_token: 'right-token', ...credentials },
    ...parts,
  })
}

export const at = ({ id }: Answer): string => `/platformapi/connections/${String(id)}`
export const read = (connection: Answer): Promise<Answer> => request(admin, 'GET', at(connection))

export async function refusalOf(promise: Promise<unknown>): Promise<Answer> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Refused)) throw new Error('it was not refused')
  return error.problem
}

export function fieldsOf(problem: Answer): string[] {
  return ((problem['errors'] ?? []) as { field: string }[]).map(({ field }) => field)
}
