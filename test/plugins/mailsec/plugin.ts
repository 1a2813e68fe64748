import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { compileCondition, compileValue } from '../../../runtime/expressions/index.ts'
import { type CallResult, callSkill, type HandlerHost, loadPluginFolder, type Plugin, type Skill } from '../../../runtime/plugin/index.ts'
import { type MailsecSettings, type MailsecSimulator, type Role, startMailsecSimulator } from '../../simulators/mailsec/index.ts'
import { makePki } from '../../simulators/pki.ts'
import { pluginsFolder } from '../fixtures.ts'
import { simulatedHost } from '../simulated-host.ts'

/**
 * Runs the mailsec plugin against the strict simulator, over HTTPS. Before each test, clears
 * failures and restores role and beta API.
 */
export function mailsecPlugin(role: Role, settings: Partial<MailsecSettings> = {}) {
  const pki = makePki()
  const token = 'right-token'
  let plugin: Plugin
  let simulator: MailsecSimulator
  let host: HandlerHost & { close(): Promise<void> }

  beforeAll(async () => {
    plugin = await loadPluginFolder(join(pluginsFolder, 'mailsec'))
    simulator = await startMailsecSimulator({ pki, token, issues: 20, ...settings })
    host = simulatedHost(simulator.url, pki.ca, { 'x-vendor-client-secret': token })
  })
  beforeEach(() => {
    simulator.faults.clear()
    simulator.setRole(role)
    simulator.setBeta(true)
  })
  afterAll(async () => {
    await host.close()
    await simulator.close()
  })

  const skill = (id: string): Skill => {
    const found = plugin.skills.get(id)
    if (!found) throw new Error(`no skill ${id}`)
    return found
  }
  const call = async (id: string, input: Json, from: HandlerHost = host): Promise<CallResult> => {
    const checked = skill(id).checkInput(input)
    if (checked.faults.length > 0) throw new Error(checked.faults.join('; '))
    return callSkill(plugin, skill(id), checked.input, from)
  }
  // biome-ignore lint/suspicious/noExplicitAny: outputs of many shapes
  const output = async (id: string, input: Json): Promise<any> => {
    const result = await call(id, input)
    if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
    return result.output
  }
  /** Asks the skill's own probe whether an input happened, as the engine does. */
  const happened = async (id: string, given: Json): Promise<boolean> => {
    const { verify } = skill(id).document
    if (!verify) throw new Error(`${id} has no probe`)
    const { input } = skill(id).checkInput(given)
    const [, asked = ''] = verify.skill.split('.')
    const found = await output(asked, compileValue((verify.with ?? {}) as Json).render({ input }) ?? {})
    return compileCondition(verify.happened).test({ input, output: found })
  }
  /** Returns the call that undoes a skill's call. */
  const inverse = (id: string, given: Json): Json => {
    const { inverse: undo } = skill(id).document
    return compileValue((undo?.with ?? {}) as Json).render({ input: skill(id).checkInput(given).input }) ?? null
  }
  return {
    call,
    output,
    happened,
    inverse,
    faults: (id: string, input: Json): readonly string[] => skill(id).checkInput(input).faults,
    /** Makes a host with another address below the simulator's, or with other headers. */
    hostOf: (path: string, headers: Readonly<Record<string, string>> = { 'x-vendor-client-secret': token }) =>
      simulatedHost(simulator.url + path, pki.ca, headers),
    plugin: () => plugin,
    simulator: () => simulator,
    payroll: (): string => simulator.issueNamed('User reported: Action required: confirm your payroll details')?.id ?? '',
    travel: (): string => simulator.issueNamed('User reported: Your September travel digest')?.id ?? '',
  }
}
