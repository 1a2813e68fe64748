import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callSkill, loadPluginFolder, type SendResult, type SkillAnswer, type SkillRequest } from '../../runtime/plugin/index.ts'
import { withHandling } from '../../runtime/plugin/testing.ts'
import { startMfaSimulator } from '../simulators/mfa/index.ts'
import { makePki } from '../simulators/pki.ts'
import { type Fixture, fixtureFile, pluginsFolder, recordedRequest } from './fixtures.ts'
import { mfaHost } from './mfa-host.ts'

/** Records the fixtures of the mfa plugin's examples anew, from the simulator: `node test/plugins/record-mfa.ts`. */
const pki = makePki()
const client = { orgAlias: 'acme-recorded', token: 'recorded', key: Buffer.alloc(32, 1).toString('base64') }

/** What says something of the answer: the type, and the time by which the bypass is judged. The body is the opened one. */
function kept({ status, headers, body }: SkillAnswer): SkillAnswer {
  const named = Object.entries(headers).filter(([name]) => name === 'content-type' || name === 'date')
  return { status, headers: Object.fromEntries(named), body }
}

const plugin = await loadPluginFolder(join(pluginsFolder, 'mfa'))
for (const skill of plugin.skills.values()) {
  for (const { input, fixture } of skill.document.examples ?? []) {
    if (fixture === undefined) continue
    const simulator = await startMfaSimulator({ pki, ...client, strict: true })
    const host = mfaHost(plugin, pki.ca, { ...client, idpUrl: simulator.idpUrl })
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
    writeFileSync(fixtureFile('mfa', fixture), `${JSON.stringify(recorded, null, 2)}\n`)
    console.log(`${skill.id}: fixtures/${fixture}.json`)
  }
}
