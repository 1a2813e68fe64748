import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, loadPluginFolder, type Plugin } from '../../../runtime/plugin/index.ts'
import { type CrmSimulator, idOf, startCrmSimulator } from '../../simulators/crm/index.ts'
import { makePki } from '../../simulators/pki.ts'
import { pluginsFolder } from '../fixtures.ts'
import { type CrmHost, crmHost } from './host.ts'

/**
 * Runs the crm plugin against the strict simulator, with a sealed secret, real tokens, handlers in
 * isolates, and real HTTPS.
 */
const pki = makePki()
export const client = { clientId: '3MVG9.consumer_key', clientSecret: 'canary+secret/4711=' }
export const now = Date.UTC(2026, 9, 15, 12, 30)
export const day = 86_400_000
/** The most tries of a read, from the manifest. */
export const tries = 4
export let plugin: Plugin
export let simulator: CrmSimulator
export let host: CrmHost

beforeAll(async () => {
  plugin = await loadPluginFolder(join(pluginsFolder, 'crm'))
  simulator = await startCrmSimulator({ pki, ...client, contacts: 4500, now: () => now })
})
beforeEach(async () => {
  simulator.reset()
  host = await hostAs({})
  return () => host.close()
})
afterAll(() => simulator.close())

type Changes = Partial<Parameters<typeof crmHost>[2]>

export function hostAs(changes: Changes): Promise<CrmHost> {
  return crmHost(plugin, pki.ca, { instanceUrl: simulator.url, ...client, ...changes }, now)
}

export async function tested(changes: Changes = {}): Promise<CallResult | null> {
  const other = await hostAs(changes)
  try {
    return await other.test()
  } finally {
    await other.close()
  }
}

// biome-ignore lint/suspicious/noExplicitAny: outputs of many shapes
export async function output(id: string, input: Json, from = host): Promise<any> {
  const result = await from.call(id, input)
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
  return result.output
}

export const account = idOf('001', 7)
export const read = (): Promise<CallResult> => host.call('execute_crm_query', { query: 'SELECT Id FROM Account LIMIT 1' })
export const write = (): Promise<CallResult> =>
  host.call('update_crm_record', { object: 'Account', record_id: account, fields: { Website: 'https://new.example' } })
export const paths = (): readonly string[] => simulator.exchanges.map(({ method, path }) => `${method} ${path}`)
/** Returns the memory of the largest isolate process of this process, in bytes. */
export function isolatesResident(): number {
  const sizes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        const ours =
          Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('isolate/child.ts')
        return ours ? Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024 : 0
      } catch {
        return 0
      }
    })
  return Math.max(...sizes)
}

export const refused = (code: string) => expect.objectContaining({ ok: false, failure: expect.objectContaining({ code }) })
