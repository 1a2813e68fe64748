import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPluginFolder } from '../../runtime/plugin/index.ts'
import { startCrmSimulator } from '../simulators/crm/index.ts'
import { makePki } from '../simulators/pki.ts'
import { crmHost } from './crm-host.ts'
import { type Fixture, fixtureFile, pluginsFolder, recordedRequest } from './fixtures.ts'

/** Records the fixtures of the crm plugin's examples anew, from the simulator: `node test/plugins/record-crm.ts`. */
const pki = makePki()
const client = { clientId: 'recorded', clientSecret: 'recorded' }
const now = Date.UTC(2026, 9, 15, 12, 30)

const folder = join(pluginsFolder, 'crm')
// A plugin whose examples name missing fixtures does not load.
for (const file of readdirSync(join(folder, 'skills')).filter((name) => name.endsWith('.yaml'))) {
  for (const [, name = ''] of readFileSync(join(folder, 'skills', file), 'utf8').matchAll(/fixture: ([a-z0-9-]+)/g))
    if (!existsSync(fixtureFile('crm', name))) writeFileSync(fixtureFile('crm', name), '{}')
}
const plugin = await loadPluginFolder(folder)
for (const skill of plugin.skills.values()) {
  for (const { input, fixture } of skill.document.examples ?? []) {
    if (fixture === undefined) continue
    const simulator = await startCrmSimulator({ pki, ...client, now: () => now })
    const exchanges: Fixture['exchanges'][number][] = []
    const host = await crmHost(
      plugin,
      pki.ca,
      { instanceUrl: simulator.url, ...client, more: { api_version: '66.0' } },
      now,
      (request, { status, headers, body }) => {
        const type = headers['content-type']
        exchanges.push({ request: recordedRequest(request), answer: { status, headers: type === undefined ? {} : { 'content-type': type }, body } })
      },
    )
    const result = await host.call(skill.id, input)
    await host.close()
    await simulator.close()
    if (!result.ok) throw new Error(`${skill.id}: ${result.failure.message}`)
    const recorded: Fixture = { exchanges, output: result.output }
    writeFileSync(fixtureFile('crm', fixture), `${JSON.stringify(recorded, null, 2)}\n`)
    console.log(`${skill.id}: fixtures/${fixture}.json`)
  }
}
