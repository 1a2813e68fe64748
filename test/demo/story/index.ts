/** The story of the demo: a few alerts, their investigations, and the cases that they become, printed as they happen. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { bold, dim } from '../../../runtime/cli/print.ts'
import { caseText } from '../../../runtime/cli/views/case.ts'
import { decisionText } from '../../../runtime/cli/views/decision.ts'
import type { Systems } from '../systems.ts'
import { follow } from './follow.ts'

const organization = 'ACME'
const provider = 'PhishMailbox'
const samples = fileURLToPath(new URL('alerts/', import.meta.url))

interface Sample {
  readonly alert_type?: string
  readonly content: unknown
}

/** Prints a heading. */
export function heading(text: string): void {
  console.log(`\n${bold(text)}`)
}

/** Plays the story. @throws Error if an investigation fails */
export async function playStory(admin: Target, systems: Systems): Promise<void> {
  const source = await setUp(admin, systems)
  heading('Posting alerts, as an alert source would')
  const ids = await post(source)
  heading('Investigations')
  const ended = await follow(admin, ids, () => approve(admin))
  heading('Cases')
  await printCases(admin, ended)
  const failed = ended.filter(({ investigation_status }) => investigation_status === 20)
  if (failed.length > 0) throw new Error(`${failed.length} investigations failed`)
}

async function setUp(admin: Target, { acme: { mailsec, mfa } }: Systems): Promise<Target> {
  await request(admin, 'POST', '/platformapi/organizations', { code: organization, name: 'Acme Corporation' })
  await request(admin, 'POST', '/platformapi/providers', { code: provider, name: 'Reported phishing mailbox' })
  const connect = (integration: string, credentials: object): Promise<Answer> =>
    request(admin, 'POST', '/platformapi/connections', { instance: `${integration}-demo`, integration, organization_code: organization, credentials })
  await connect('mailsec', mailsec.credentials)
  await connect('mfa', mfa.credentials)
  const key = await request(admin, 'POST', '/platformapi/keys', { name: 'demo alert source', organizations: [organization] })
  console.log(`  organization ${organization}, provider ${provider}, connections mailsec-demo and mfa-demo, and an API key for the alert source`)
  return { url: admin.url, key: String(key['key']) }
}

function readSamples(): [name: string, sample: Sample][] {
  const names = readdirSync(samples).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => [name, JSON.parse(readFileSync(join(samples, name), 'utf8')) as Sample])
}

async function post(source: Target): Promise<string[]> {
  const ids: string[] = []
  for (const [name, { alert_type, content }] of readSamples()) {
    const body = {
      alert_content: typeof content === 'string' ? content : JSON.stringify(content),
      alert_provider: provider,
      organization_code: organization,
      ...(alert_type !== undefined && { alert_type }),
      created_at_source: Date.now(),
    }
    const id = String((await request(source, 'POST', '/platformapi/alerts', body))['alert_id'])
    console.log(`  ${id}  ${alert_type ?? dim('(no alert_type: stored, not investigated)')}  ${dim(name)}`)
    ids.push(id)
  }
  return ids
}

/** Approves what a run asks before it writes, as an approver would. */
async function approve(admin: Target): Promise<void> {
  const { items } = await request(admin, 'GET', '/platformapi/decisions?state=open')
  for (const { id } of items as Answer[]) {
    const answered = await request(admin, 'POST', `/platformapi/decisions/${id}`, { verdict: 'approve', reason: 'The demo approves' })
    console.log(`\n${decisionText(answered).replace(/^/gm, '  ')}\n`)
  }
}

async function printCases(admin: Target, ended: readonly Answer[]): Promise<void> {
  const inOrder = ended.toSorted((a, b) => String(a['case_id']).localeCompare(String(b['case_id']), undefined, { numeric: true }))
  for (const { case_id } of inOrder) {
    if (case_id) console.log(`\n${caseText(await request(admin, 'GET', `/platformapi/cases/${case_id}`))}`)
  }
}
