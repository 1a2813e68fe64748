import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callSkill, loadPluginFolder, type SendResult, type SkillAnswer, type SkillRequest } from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'
import { startBrowserSimulator } from '../simulators/browser/index.ts'
import { startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { makePki } from '../simulators/pki.ts'
import type { SimulatorServer } from '../simulators/server.ts'
import { type Fixture, fixtureFile, pluginsFolder, recordedRequest } from './fixtures.ts'
import { simulatedHost } from './simulated-host.ts'

/**
 * Records the fixtures of the plugins' examples anew, from their simulators: `node test/plugins/record.ts [<integration> …]`. A plugin to
 * record is one line in `systems`.
 */
const pki = makePki()
const secret = 'recorded'

interface System {
  readonly start: () => Promise<SimulatorServer>
  readonly headers: Readonly<Record<string, string>>
}

const systems: Readonly<Record<string, System>> = {
  browser: { start: () => startBrowserSimulator({ pki, key: secret, strict: true }), headers: { 'x-api-key': secret } },
  mailsec: { start: () => startMailsecSimulator({ pki, token: secret, role: 'super_admin' }), headers: { 'x-vendor-client-secret': secret } },
}

/** What says something of the answer; the rest differs from one recording to the next. */
function kept({ status, headers, body }: SkillAnswer): SkillAnswer {
  const type = headers['content-type']
  return { status, headers: type === undefined ? {} : { 'content-type': type }, body }
}

async function record(id: string, { start, headers }: System): Promise<void> {
  const folder = join(pluginsFolder, id)
  // A plugin whose examples name missing fixtures does not load.
  for (const file of readdirSync(join(folder, 'skills'))) {
    const named = readFileSync(join(folder, 'skills', file), 'utf8').matchAll(/fixture: ([a-z0-9-]+)/g)
    for (const [, name = ''] of named) if (!existsSync(fixtureFile(id, name))) writeFileSync(fixtureFile(id, name), '{}')
  }
  const plugin = await loadPluginFolder(folder)
  for (const skill of plugin.skills.values()) {
    for (const { input, fixture } of skill.document.examples ?? []) {
      if (fixture === undefined) continue
      const simulator = await start()
      const host = simulatedHost(simulator.url, pki.ca, headers)
      const exchanges: Fixture['exchanges'][number][] = []
      const result = await callSkill(
        plugin,
        skill,
        skill.checkInput(input).input,
        withHandling({
          ...host,
          send: async (request: SkillRequest): Promise<SendResult> => {
            const sent = await host.send(request)
            if (sent.effect === 'done') exchanges.push({ request: recordedRequest(request), answer: kept(sent.answer) })
            return sent
          },
        }),
      )
      await host.close()
      await simulator.close()
      if (!result.ok) throw new Error(`${skill.id}: ${result.failure.message}`)
      const recorded: Fixture = { exchanges, output: result.output }
      writeFileSync(fixtureFile(id, fixture), `${JSON.stringify(recorded, null, 2)}\n`)
      console.log(`${skill.id}: fixtures/${fixture}.json`)
    }
  }
}

const asked = process.argv.slice(2)
for (const [id, system] of Object.entries(systems)) if (asked.length === 0 || asked.includes(id)) await record(id, system)
