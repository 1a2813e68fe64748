import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { explainFailure } from '../../runtime/cli/failure.ts'
import { bold, dim } from '../../runtime/cli/print.ts'
import { caseText } from '../../runtime/cli/views/case.ts'
import { decisionText } from '../../runtime/cli/views/decision.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { type MfaProcess, type SimulatorProcess, spawnMailsecSimulator, spawnMfaSimulator } from '../support/processes/simulator-process.ts'
import { follow } from './follow.ts'

/**
 * `npm run demo [-- --once]`: shows the main job from end to end, on this machine alone. All its
 * files are in a temporary folder.
 */
const once = process.argv.includes('--once')
const organization = 'ACME'
const provider = 'PhishMailbox'
const directory = mkdtempSync(join(tmpdir(), 'tocsin-demo-'))
const samples = fileURLToPath(new URL('alerts/', import.meta.url))

interface Sample {
  readonly alert_type?: string
  readonly content: unknown
}

function readSamples(): [name: string, sample: Sample][] {
  const names = readdirSync(samples).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => [name, JSON.parse(readFileSync(join(samples, name), 'utf8')) as Sample])
}

function heading(text: string): void {
  console.log(`\n${bold(text)}`)
}

async function setUp(admin: Target, mail: SimulatorProcess, mfa: MfaProcess): Promise<Target> {
  await request(admin, 'POST', '/platformapi/organizations', { code: organization, name: 'Acme Corporation' })
  await request(admin, 'POST', '/platformapi/providers', { code: provider, name: 'Reported phishing mailbox' })
  const connect = (integration: string, credentials: object): Promise<Answer> =>
    request(admin, 'POST', '/platformapi/connections', { instance: `${integration}-demo`, integration, organization_code: organization, credentials })
  await connect('mailsec', { base_url: mail.url, api_token: mail.token })
  const { idp_url, org_alias, token, use_base64_key } = mfa
  await connect('mfa', { idp_url, org_alias, token, use_base64_key })
  const key = await request(admin, 'POST', '/platformapi/keys', { name: 'demo alert source', organizations: [organization] })
  console.log(`  organization ${organization}, provider ${provider}, connections mailsec-demo and mfa-demo, and an API key for the alert source`)
  return { url: admin.url, key: String(key['key']) }
}

async function post(source: Target): Promise<string[]> {
  const ids: string[] = []
  for (const [name, sample] of readSamples()) {
    const id = await postSample(source, sample)
    console.log(`  ${id}  ${sample.alert_type ?? dim('(no alert_type: stored, not investigated)')}  ${dim(name)}`)
    ids.push(id)
  }
  return ids
}

async function postSample(source: Target, { alert_type, content }: Sample): Promise<string> {
  const body = {
    alert_content: typeof content === 'string' ? content : JSON.stringify(content),
    alert_provider: provider,
    organization_code: organization,
    ...(alert_type !== undefined && { alert_type }),
    created_at_source: Date.now(),
  }
  return String((await request(source, 'POST', '/platformapi/alerts', body))['alert_id'])
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

function printCurl({ url, key }: Target): void {
  const body = {
    alert_content: 'Subject: Invoice 88213 overdue',
    alert_provider: provider,
    organization_code: organization,
    alert_type: 'phishing_reported',
  }
  heading('Post another alert:')
  console.log(`  curl -s ${url}/platformapi/alerts -H 'Cookie: Session=${key}' \\`)
  console.log(`    -H 'Content-Type: application/json' -H 'Prefer: wait=10' -d '${JSON.stringify(body)}'`)
}

/** Prints commands that try the visitor's own playbooks against the simulators. */
function printCommands({ url, key }: Target): void {
  heading('Try your own playbook, in another terminal:')
  console.log(`  export TOCSIN_URL=${url} TOCSIN_API_KEY=${key}`)
  console.log('  npm run -s tocsin -- playbook activate <file>')
  console.log(`  npm run -s tocsin -- alert post <alert.json> --organization ${organization} --provider ${provider} --type <type> --wait 10`)
}

/** The alert whose decision is left to the visitor. */
const forTheVisitor: Sample = {
  alert_type: 'mfa_fatigue',
  content: {
    user: { email: 'ada.lovelace@acme.example' },
    source_ip: '203.0.113.77',
    pushes: { sent: 9, denied: 8, approved: 1, window_minutes: 4 },
  },
}

function printConsole({ url, key }: Target, alert: string): void {
  heading(`The alert ${alert} waits for your decision. Open the console and sign in with the key:`)
  console.log(`  ${url}/console/`)
  console.log(`  ${key}`)
}

async function demo(): Promise<void> {
  heading('Starting Tocsin with the embedded store, a simulated e-mail-security system and a simulated MFA provider')
  const mail = await spawnMailsecSimulator(join(directory, 'pki'))
  const mfa = await spawnMfaSimulator(join(directory, 'pki'))
  const environment = {
    TOCSIN_DATA: join(directory, 'data'),
    TOCSIN_CA_FILE: mail.ca,
    TOCSIN_EGRESS_ALLOW: '127.0.0.1',
    TOCSIN_LOG_LEVEL: 'warn',
  }
  const config = readConfig(environment, { port: '0' })
  const running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
  try {
    console.log(`  Tocsin        ${running.url}\n  simulators    ${mail.url}, ${mfa.url}`)
    const admin = { url: running.url, key: running.firstKey?.value ?? '' }
    const source = await setUp(admin, mail, mfa)
    heading('Posting alerts, as an alert source would')
    const ids = await post(source)
    heading('Investigations')
    const ended = await follow(admin, ids, () => approve(admin))
    heading('Cases')
    await printCases(admin, ended)
    const failed = ended.filter(({ investigation_status }) => investigation_status === 20)
    if (failed.length > 0) throw new Error(`${failed.length} investigations failed`)
    if (once) return
    printCurl(source)
    printCommands(admin)
    printConsole(admin, await postSample(source, forTheVisitor))
    console.log(dim('\nCtrl-C ends the demo and removes what it made.'))
    await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  } finally {
    await running.stop()
    await mail.stop()
    await mfa.stop()
  }
}

try {
  await demo()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
