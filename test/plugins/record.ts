import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CallHost,
  callSkill,
  loadPluginFolder,
  type Plugin,
  type SendResult,
  type SkillAnswer,
  type SkillRequest,
} from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'
import { startBrowserSimulator } from '../simulators/browser/index.ts'
import { startCrmSimulator } from '../simulators/crm/index.ts'
import { startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { startMfaSimulator } from '../simulators/mfa/index.ts'
import { makePki } from '../simulators/pki.ts'
import { crmHost } from './crm/host.ts'
import { type Fixture, fixtureFile, pluginsFolder, recordedRequest } from './fixtures.ts'
import { mfaHost } from './mfa/host.ts'
import { simulatedHost } from './simulated-host.ts'

/**
 * Records the fixtures of the plugins' examples again, from their simulators: `node
 * test/plugins/record.ts [<integration> …]`. A plugin to record is one entry of `systems`.
 */
const pki = makePki()
const secret = 'recorded'
const signing = { orgAlias: 'acme-recorded', token: secret, key: Buffer.alloc(32, 1).toString('base64') }
const client = { clientId: secret, clientSecret: secret }
const now = Date.UTC(2026, 9, 15, 12, 30)

/** A new simulator, and a host that calls it. */
interface System {
  readonly host: CallHost
  close(): Promise<void>
}

/** Closes the host before the simulator that it calls. */
function joined(host: CallHost & { close(): Promise<void> }, simulator: { close(): Promise<void> }): System {
  return { host, close: () => host.close().then(() => simulator.close()) }
}

const systems: Readonly<Record<string, (plugin: Plugin) => Promise<System>>> = {
  async browser() {
    const simulator = await startBrowserSimulator({ pki, key: secret, strict: true })
    return joined(simulatedHost(simulator.url, pki.ca, { 'x-api-key': secret }), simulator)
  },
  async crm(plugin) {
    const simulator = await startCrmSimulator({ pki, ...client, now: () => now })
    const host = await crmHost(plugin, pki.ca, { instanceUrl: simulator.url, ...client, more: { api_version: '66.0' } }, now)
    return joined(host, simulator)
  },
  async mailsec() {
    const simulator = await startMailsecSimulator({ pki, token: secret, role: 'super_admin' })
    return joined(simulatedHost(simulator.url, pki.ca, { 'x-vendor-client-secret': secret }), simulator)
  },
  async mfa(plugin) {
    const simulator = await startMfaSimulator({ pki, ...signing, strict: true })
    return joined(mfaHost(plugin, pki.ca, { ...signing, idpUrl: simulator.idpUrl }), simulator)
  },
}

/**
 * Headers that the skill uses. Other headers differ with each recording. The MFA provider's time
 * decides whether a bypass is active.
 */
const telling: Readonly<Record<string, readonly string[]>> = { mfa: ['content-type', 'date'] }

function kept(id: string, { status, headers, body }: SkillAnswer): SkillAnswer {
  const names = telling[id] ?? ['content-type']
  return { status, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name))), body }
}

/** Creates missing fixtures, because a plugin whose examples name missing fixtures does not load. */
function makeRoom(id: string): void {
  const skills = join(pluginsFolder, id, 'skills')
  for (const file of readdirSync(skills).filter((name) => name.endsWith('.yaml'))) {
    for (const [, name = ''] of readFileSync(join(skills, file), 'utf8').matchAll(/fixture: ([a-z0-9-]+)/g))
      if (!existsSync(fixtureFile(id, name))) writeFileSync(fixtureFile(id, name), '{}')
  }
}

async function record(id: string, start: (plugin: Plugin) => Promise<System>): Promise<void> {
  makeRoom(id)
  const plugin = await loadPluginFolder(join(pluginsFolder, id))
  for (const skill of plugin.skills.values()) {
    for (const { input, fixture } of skill.document.examples ?? []) {
      if (fixture === undefined) continue
      const { host, close } = await start(plugin)
      const exchanges: Fixture['exchanges'][number][] = []
      const send = async (request: SkillRequest): Promise<SendResult> => {
        const sent = await host.send(request)
        if (sent.effect === 'done') exchanges.push({ request: recordedRequest(request), answer: kept(id, sent.answer) })
        return sent
      }
      const result = await callSkill(plugin, skill, skill.checkInput(input).input, withHandling({ key: host.key, fields: host.fields, send }))
      await close()
      if (!result.ok) throw new Error(`${skill.id}: ${result.failure.message}`)
      const recorded: Fixture = { exchanges, output: result.output }
      writeFileSync(fixtureFile(id, fixture), `${JSON.stringify(recorded, null, 2)}\n`)
      console.log(`${skill.id}: fixtures/${fixture}.json`)
    }
  }
}

const asked = process.argv.slice(2)
for (const [id, start] of Object.entries(systems)) if (asked.length === 0 || asked.includes(id)) await record(id, start)
