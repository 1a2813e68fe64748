import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Answer, Refused, request, type Target } from '../../runtime/cli/client.ts'
import type { Reply } from '../simulators/faults.ts'
import { caFile, openPki } from '../simulators/pki.ts'
import { type SimulatorServer, serveSimulator } from '../simulators/server.ts'
import { newInstallation } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import type { Charge } from './charge.ts'
import { Monitor } from './monitor.ts'

/** The tenant who sends bombs, and the one whose alerts must not be affected. */
export const tenants = { attacker: 'MALLORY', neighbour: 'QUIET' } as const

/** The scopes of both tenants: all that a tenant's key can have. */
const scopes = [
  ...['alerts:write', 'alerts:read', 'cases:read', 'cases:write', 'decisions:read', 'decisions:answer', 'organizations:read', 'policy:read'],
  ...['policy:write', 'providers:read', 'connections:read', 'connections:write', 'playbooks:read', 'playbooks:write', 'runs:read', 'runs:write'],
  ...['webhooks:read', 'webhooks:write', 'pauses:read', 'pauses:write'],
]

/**
 * A place to fire bombs: a live process with the embedded store, a target system that gives the
 * bomb's answers, and two tenants.
 */
export interface Range {
  readonly attacker: Target
  readonly neighbour: Target
  readonly admin: Target
  readonly monitor: Monitor
  /**
   * Activates a playbook of the attacker, posts an alert for it and waits for its end. Returns
   * `completed`, `failed <code>` or `refused <code>`.
   */
  investigate(charge: Charge): Promise<string>
  /**
   * Starts a run, waits until it completes, and requests its steps.
   *
   * @param queries the part of each request after `/platformapi/runs/<run>/`
   * @returns `answered`, or the outcome of the first run or request that failed
   */
  look(charge: Charge, queries: readonly string[]): Promise<string>
  /** Sends a request of the attacker. Returns `answered` or `refused <code>`. */
  ask(method: string, path: string, body?: string): Promise<string>
  /** Sets the target system's answer for a name. */
  answer(name: string, body: string): void
  close(): Promise<void>
}

/** How many seconds one request waits for the end of an alert. */
const patience = 200

/** Starts a range with both tenants, each with a connection to the target system. */
export async function openRange(): Promise<Range> {
  const installation = newInstallation('embedded')
  const pki = join(installation.directory, 'pki')
  const answers = new Map<string, string | Reply>([['hello', '{"hello":"world"}']])
  const system = await serveSimulator(
    ({ path }) => {
      const body = answers.get(decodeURIComponent(path.replace('/answers/', '')))
      if (body === undefined) return { status: 404, body: '{}' }
      return typeof body === 'string' ? { status: 200, body } : body
    },
    { pki: openPki(pki), port: 0, remember: 0 },
  )
  const playbooks = join(installation.directory, 'playbooks')
  mkdirSync(playbooks)
  writeFileSync(join(playbooks, 'neighbour.yaml'), neighbourPlaybook)
  const environment = {
    ...installation.environment,
    TOCSIN_PLAYBOOKS: playbooks,
    TOCSIN_PLUGINS: fileURLToPath(new URL('plugins/target', import.meta.url)),
    TOCSIN_CA_FILE: caFile(pki),
  }
  const tocsin = await spawnTocsin('up', environment, undefined, new URL('probe.ts', import.meta.url))
  const admin = { url: tocsin.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/providers', { code: 'RANGE', name: 'Range' })
  const [attacker, neighbour] = [await tenant(admin, tenants.attacker, system), await tenant(admin, tenants.neighbour, system)]
  const stop = (): Promise<void> => end(tocsin, system, installation)
  let count = 0
  async function investigated({ playbook, content = {}, answers: own = {} }: Charge): Promise<{ came: string; run: string | null }> {
    const name = `bomb-${++count}`
    for (const [key, body] of Object.entries(own)) answers.set(key, body)
    const text = `format: 1\nplaybook: ${name}\nalert_type: ${name}\n${playbook}`
    const activated = await attempt(attacker, 'POST', '/platformapi/playbooks', { playbooks: [{ text }], organization_code: tenants.attacker })
    if (activated instanceof Refused) return { came: told(activated), run: null }
    const posted = await attempt(attacker, 'POST', '/platformapi/alerts', alertOf(tenants.attacker, name, content), waiting)
    const ended = posted instanceof Refused ? { came: told(posted), run: null } : await endOf(attacker, posted)
    for (const key of Object.keys(own)) answers.delete(key)
    return ended
  }
  return {
    attacker,
    neighbour,
    admin,
    monitor: new Monitor(tocsin),
    investigate: async (charge) => (await investigated(charge)).came,
    async look(charge, queries) {
      const { came, run } = await investigated(charge)
      if (came !== 'completed') return came
      for (const query of queries) {
        const answered = await attempt(attacker, 'GET', `/platformapi/runs/${run}/${query}`)
        if (answered instanceof Refused) return told(answered)
      }
      return 'answered'
    },
    async ask(method, path, body) {
      // Send the body unchanged: it may not be JSON.
      const headers = { cookie: `Session=${attacker.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const response = await fetch(`${attacker.url}${path}`, { method, headers, ...(body !== undefined && { body }) })
      const text = await response.text()
      return response.ok ? 'answered' : told(new Refused(response.status, JSON.parse(text) as Answer))
    },
    answer: (name, body) => void answers.set(name, body),
    close: stop,
  }
}

/** The playbook of an ordinary tenant. */
const neighbourPlaybook = `format: 1
playbook: neighbour
alert_type: neighbour
inputs:
  user: { type: string, from: [content.user], required: true }
case: { title: 'Seen: {{ inputs.user }}' }
steps:
  - id: read
    skill: target.fetch
    with: { name: hello }
    # The system is served by the process that fires, which may be slow to shake hands.
    retry: { attempts: 5, delay: 1s, on: [network] }
  - id: known
    if: { '==': [{ var: steps.read.output.hello }, world] }
    then:
      - id: say
        case: { note: 'Hello {{ inputs.user }}' }
`

export const waiting = { prefer: `wait=${patience}` }

/** Returns the body of an alert. */
export function alertOf(organization: string, type: string | null, content: unknown): object {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return { alert_content: text, alert_provider: 'RANGE', organization_code: organization, ...(type !== null && { alert_type: type }) }
}

async function tenant(admin: Target, code: string, system: SimulatorServer): Promise<Target> {
  await request(admin, 'POST', '/platformapi/organizations', { code, name: code })
  const { key } = await request(admin, 'POST', '/platformapi/keys', { name: code, scopes, organizations: [code] })
  const own = { url: admin.url, key: String(key) }
  const credentials = { base_url: system.url, api_token: `token-of-${code}` }
  await request(own, 'POST', '/platformapi/connections', { instance: 'target', integration: 'target', organization_code: code, credentials })
  return own
}

async function attempt(target: Target, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer | Refused> {
  try {
    return await request(target, method, path, body, headers)
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

/**
 * Returns the outcome of a refused request. For a refused playbook, it includes the codes of the
 * findings.
 */
function told({ status, problem }: Refused): string {
  const code = String(problem['code'] ?? status)
  const findings = code === 'playbook_invalid' ? (problem['errors'] as readonly { readonly code?: string }[]).map((each) => ` ${each.code}`) : []
  return `refused ${code}${[...new Set(findings)].join('')}`
}

/** Waits until an alert's run ends, and returns how it ended. */
async function endOf(target: Target, posted: Answer): Promise<{ came: string; run: string | null }> {
  for (;;) {
    const alert = await request(target, 'GET', `/platformapi/alerts/${String(posted['alert_uuid'])}`, undefined, waiting)
    if (Number(alert['investigation_status']) < 15) continue
    const last = (alert['runs'] as { readonly run_id: string; readonly failure: { readonly code: string } | null }[]).at(-1)
    return { came: last?.failure ? `failed ${last.failure.code}` : 'completed', run: last?.run_id ?? null }
  }
}

async function end(tocsin: TocsinProcess, system: SimulatorServer, installation: { remove(): Promise<void> }): Promise<void> {
  await tocsin.stop()
  await system.close()
  await installation.remove()
}
