import { readFileSync } from 'node:fs'
import { type Answer, Refused, request, type Target } from '../../../runtime/cli/client.ts'
import type { Millis } from '../../../runtime/domain/index.ts'
import type { Systems } from '../systems.ts'
import { type Analyst, day } from './schedule.ts'

const organizations = { ACME: 'Acme Corporation', HARBOR: 'Harbor Bank', LUMEN: 'Lumen Clinics' }
const providers = {
  PhishMailbox: 'Reported phishing mailbox',
  IDP: 'Identity provider',
  EDR: 'Endpoint detection',
  BrowserGuard: 'Browser security',
  CRM: 'CRM event monitoring',
  Firewall: 'Perimeter firewall',
}

const policy = `# Who may do what at Acme.
format: 1
approvals:
  skills: { mfa.suspend_mfa_user: ask }
  expires: 12h
limits:
  impact: { high: 2, write: 20, targets: 10 }
  quotas:
    skills:
      mfa.suspend_mfa_user: { calls: 8, per: 7d }
      mailsec.update_mailsec_issue: { calls: 20, per: 1d }
protected:
  - names: [break-glass@acme.example]
    reason: Break-glass account
  - match: /@board\\.acme\\.example$/
    skills: [mfa.suspend_mfa_user]
    reason: The board is called first
`

/** The keys that the demo acts with. */
export interface Actors {
  readonly admin: Target
  readonly source: Target
  readonly people: Readonly<Record<Analyst, Target>>
}

/** Creates organizations, providers, connections, the policy, a playbook of the demo, and keys. @param end when the week ends */
export async function setUpWeek(admin: Target, systems: Systems, end: Millis): Promise<Actors> {
  const make = (path: string, body: object): Promise<Answer> => request(admin, 'POST', `/platformapi/${path}`, body)
  for (const [code, name] of Object.entries(organizations)) await make('organizations', { code, name })
  for (const [code, name] of Object.entries(providers)) await make('providers', { code, name })
  await connect(admin, systems, end)
  await patiently(() => request(admin, 'PUT', '/platformapi/organizations/ACME/policy', { text: policy, file: 'acme.yaml' }))
  const keyOf = async (name: string, scopes: readonly string[]): Promise<Target> => {
    const { key } = await make('keys', { name, scopes, organizations: Object.keys(organizations) })
    return { url: admin.url, key: String(key) }
  }
  const analyst = ['alerts:read', 'alerts:write', 'cases:read', 'cases:write', 'decisions:read', 'decisions:answer', 'runs:read', 'runs:write']
  const more = ['connections:read', 'playbooks:read', 'pauses:read', 'pauses:write', 'organizations:read', 'providers:read']
  const people = { priya: await keyOf('Priya Raman', [...analyst, ...more]), jonas: await keyOf('Jonas Weber', [...analyst, ...more]) }
  return { admin, source: await keyOf('demo alert source', ['alerts:read', 'alerts:write']), people }
}

async function connect(admin: Target, { acme, harbor }: Systems, end: Millis): Promise<void> {
  const add = async (instance: string, integration: string, organization: string, credentials: object, more: object = {}): Promise<void> => {
    const body = { instance, integration, organization_code: organization, credentials, ...more }
    const { id } = await request(admin, 'POST', '/platformapi/connections', body)
    await request(admin, 'POST', `/platformapi/connections/${String(id)}/test`)
  }
  const months = 90 * day
  await add('mailsec-demo', 'mailsec', 'ACME', acme.mailsec.credentials, { description: 'Mail of all staff', expires_at: end + months })
  await add('mfa-demo', 'mfa', 'ACME', acme.mfa.credentials, { description: 'Staff directory', expires_at: end + 4 * day })
  await add('crm-demo', 'crm', 'ACME', acme.crm.credentials, { description: 'Production org' })
  await add('browser-demo', 'browser', 'ACME', acme.browser.credentials, { description: 'Managed browsers' })
  await add('mailsec-harbor', 'mailsec', 'HARBOR', harbor.mailsec.credentials, { description: 'Mail of the branches', expires_at: end + months })
  await add('mfa-harbor', 'mfa', 'HARBOR', harbor.mfa.credentials, { description: 'Branch staff' })
  await add('mailsec-lumen', 'mailsec', 'LUMEN', { ...acme.mailsec.credentials, api_token: 'revoked-token' }, { description: 'Mail of the clinics' })
}

/** Activates the demo's own playbook for Acme. @param edit returns another version of its text */
export async function activateOwn(admin: Target, edit: (text: string) => string = (text) => text): Promise<void> {
  const file = new URL('../playbooks/failed-sign-ins.yaml', import.meta.url)
  const playbooks = [{ text: edit(readFileSync(file, 'utf8')), file: 'failed-sign-ins.yaml' }]
  await patiently(() => request(admin, 'POST', '/platformapi/playbooks', { playbooks, organization_code: 'ACME' }))
}

/** A check may take 15 s. On a busy machine, the first one may take longer, so try again. */
async function patiently<T>(work: () => Promise<T>, more = 3): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (more === 0 || !(error instanceof Refused) || error.problem['code'] !== 'check_timeout') throw error
    return patiently(work, more - 1)
  }
}
