import { join } from 'node:path'
import { type MfaSimulator, startMfaSimulator } from '../simulators/mfa/index.ts'
import { openPki } from '../simulators/pki.ts'
import { OnePlaybook } from '../support/one-playbook.ts'
import { type Ended, tocsin } from '../support/processes/in-process.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'

const client = { orgAlias: 'acme-alias', token: 'canary-token', key: Buffer.alloc(32, 'canary').toString('base64') }

/** When bypasses end. It is in the future, because skills set no bypass that ends in the past. */
export const end = Date.now() + 86_400_000

export const playbook = `format: 1
playbook: looked-after
alert_type: looked_after
inputs:
  user: { type: string, from: [content.user.email], required: true }
  until: { type: integer, from: [content.until], default: ${end} }
connections: { idp: { integration: mfa } }
steps:
  - id: look
    skill: mfa.get_mfa_user_details
    with: { username: '{{ inputs.user }}' }
  - id: active
    if: { '==': [{ var: steps.look.output.status }, ACTIVE] }
    then:
      - id: bypass
        skill: mfa.toggle_mfa_user_bypass
        with: { username: '{{ inputs.user }}', bypass: enabled, until: '{{ inputs.until }}' }
      - id: suspend
        skill: mfa.suspend_mfa_user
        with: { username: '{{ inputs.user }}' }
      - id: note
        case: { note: 'Suspended {{ inputs.user }}', severity: high, status: contained }
    else:
      - id: stop
        stop: { outcome: completed, reason: Not active }
`

/** A Tocsin with a simulated MFA provider and one playbook. Tests look at its runs with the command line. */
export class LookedAfter {
  readonly installation: Installation
  readonly simulator: MfaSimulator
  readonly one: OnePlaybook

  private constructor(installation: Installation, simulator: MfaSimulator, one: OnePlaybook) {
    this.installation = installation
    this.simulator = simulator
    this.one = one
  }

  /** @param more variables of its environment */
  static async start(more: NodeJS.ProcessEnv = {}): Promise<LookedAfter> {
    const made = newInstallation('embedded')
    const installation = { ...made, environment: { ...made.environment, ...more } }
    const pki = join(installation.directory, 'pki')
    const simulator = await startMfaSimulator({ pki: openPki(pki), ...client, strict: true })
    const one = await OnePlaybook.start(installation, pki, 'looked_after', playbook)
    const credentials = { idp_url: simulator.idpUrl, org_alias: client.orgAlias, token: client.token, use_base64_key: client.key }
    await one.connect('mfa', credentials)
    return new LookedAfter(installation, simulator, one)
  }

  /** Runs a command against it. */
  tocsin(...words: string[]): Promise<Ended> {
    const { url, key } = this.one.admin
    return tocsin(words, { TOCSIN_URL: url, TOCSIN_API_KEY: key })
  }

  async stop(): Promise<void> {
    await this.one.stop()
    await this.simulator.close()
    await this.installation.remove()
  }
}
