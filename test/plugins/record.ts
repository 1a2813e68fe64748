import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callSkill, loadPluginFolder, type SkillAnswer } from '../../runtime/plugin/index.ts'
import { startMailsecSimulator } from '../simulators/mailsec/index.ts'
import { makePki } from '../simulators/pki.ts'
import { type Fixture, fixtureFile, pluginsFolder, recordedRequest } from './fixtures.ts'
import { simulatedHost } from './simulated-host.ts'

/** Records the fixtures of the mailsec plugin's examples anew, from the simulator: `node test/plugins/record.ts`. */
const pki = makePki()
const token = 'recorded'

/** What says something of the answer; the rest differs from one recording to the next. */
function kept({ status, headers, body }: SkillAnswer): SkillAnswer {
  const type = headers['content-type']
  return { status, headers: type === undefined ? {} : { 'content-type': type }, body }
}

const folder = join(pluginsFolder, 'mailsec')
// A plugin whose examples name missing fixtures does not load.
for (const file of readdirSync(join(folder, 'skills'))) {
  const named = readFileSync(join(folder, 'skills', file), 'utf8').matchAll(/fixture: ([a-z0-9-]+)/g)
  for (const [, name = ''] of named) if (!existsSync(fixtureFile('mailsec', name))) writeFileSync(fixtureFile('mailsec', name), '{}')
}
const plugin = await loadPluginFolder(folder)
for (const skill of plugin.skills.values()) {
  for (const { input, fixture } of skill.document.examples ?? []) {
    if (fixture === undefined) continue
    const simulator = await startMailsecSimulator({ pki, token, role: 'super_admin' })
    const host = simulatedHost(simulator.url, pki.ca, { 'x-vendor-client-secret': token })
    const exchanges: Fixture['exchanges'][number][] = []
    const result = await callSkill(plugin, skill, skill.checkInput(input).input, {
      ...host,
      send: async (request) => {
        const sent = await host.send(request)
        if (sent.effect === 'done') exchanges.push({ request: recordedRequest(request), answer: kept(sent.answer) })
        return sent
      },
    })
    await host.close()
    await simulator.close()
    if (!result.ok) throw new Error(`${skill.id}: ${result.failure.message}`)
    const recorded: Fixture = { exchanges, output: result.output }
    writeFileSync(fixtureFile('mailsec', fixture), `${JSON.stringify(recorded, null, 2)}\n`)
    console.log(`${skill.id}: fixtures/${fixture}.json`)
  }
}
