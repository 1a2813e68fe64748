import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import { type MailsecSimulator, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'

let installation: Installation
let simulator: MailsecSimulator
let running: Running | null = null

beforeAll(async () => {
  installation = newInstallation('embedded')
  simulator = await startMailsecSimulator({ pki: openPki(join(installation.directory, 'pki')), token: 'right-token', issues: 5 })
})
afterAll(async () => {
  await running?.stop()
  await simulator?.close()
  await installation?.remove()
})

/** Starts Tocsin again, with these vault keys. */
async function startWith(key: string, old: readonly string[] = []): Promise<Target> {
  await running?.stop()
  running = null
  const config = readConfig(
    {
      ...installation.environment,
      TOCSIN_CA_FILE: caFile(join(installation.directory, 'pki')),
      TOCSIN_PLUGINS: shippedPlugin('mailsec'),
      TOCSIN_PLAYBOOKS: installation.directory,
      TOCSIN_VAULT_KEY: key,
      TOCSIN_VAULT_KEY_OLD: old.join(','),
    },
    { port: '0' },
  )
  running = await start(config, { api: true, worker: false }, createLogger({ level: 'silent' }))
  return { url: running.url, key: installation.adminKey }
}

test('the vault key can be replaced; connections work on, unchanged, and the old key is no longer of use (complaint 9)', async () => {
  const [first, second, third] = [1, 2, 3].map(() => randomBytes(32).toString('base64')) as [string, string, string]
  let admin = await startWith(first)
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  const made = await request(admin, 'POST', '/platformapi/connections', {
    instance: 'mail',
    integration: 'mailsec',
    organization_code: 'ACME',
    credentials: { base_url: simulator.url, api_token: 'right-token' },
  })
  const at = `/platformapi/connections/${made['id']}`
  const works = (): Promise<Answer> => request(admin, 'POST', `${at}/test`)
  admin = await startWith(second, [first])
  expect(await works()).toMatchObject({ ok: true })
  admin = await startWith(second)
  expect(await works()).toMatchObject({ ok: true })
  expect(await request(admin, 'GET', at)).toMatchObject({ revision: 1, instance: 'mail' })
  await expect(startWith(first)).rejects.toMatchObject({ code: 'vault_key_wrong' })
  // Several earlier keys may be given, even if nothing needs them.
  admin = await startWith(third, [first, second])
  expect(await works()).toMatchObject({ ok: true })
})
