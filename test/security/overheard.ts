import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Running, start } from '../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { readConfig } from '../../runtime/config/index.ts'
import { asId, systemScope } from '../../runtime/domain/index.ts'
import type { Job } from '../../runtime/queue/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import type { Installation } from '../support/processes/installation.ts'
import { until } from '../support/until.ts'
import { sings } from './canary.ts'

/** A Tocsin installation that records everything it prints, answers and stores, to search it for canaries. */
export class Overheard {
  readonly log: readonly string[]
  readonly jobs: readonly Job[]
  readonly #running: Running
  readonly #installation: Installation
  readonly #admin: Target
  readonly #seen: [where: string, text: string][] = []
  #stopped = false

  private constructor(running: Running, installation: Installation, log: readonly string[]) {
    this.#running = running
    this.#installation = installation
    this.#admin = { url: running.url, key: installation.adminKey }
    this.log = log
    const jobs: Job[] = []
    this.jobs = jobs
    const { queue } = running.parts
    for (const method of ['enqueue', 'enqueueAgain'] as const) {
      const handedOver = queue[method].bind(queue)
      queue[method] = (more) => {
        jobs.push(...more)
        return handedOver(more)
      }
    }
  }

  /** Starts one that logs everything, with the organization ACME and the provider P. */
  static async start(installation: Installation, settings: NodeJS.ProcessEnv): Promise<Overheard> {
    const log: string[] = []
    const logger = createLogger({ level: 'trace', destination: { write: (line) => void log.push(line) } })
    const config = readConfig({ ...installation.environment, TOCSIN_LOG_LEVEL: 'trace', ...settings }, { port: '0' })
    const overheard = new Overheard(await start(config, { api: true, worker: true }, logger), installation, log)
    await request(overheard.#admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
    await request(overheard.#admin, 'POST', '/platformapi/providers', { code: 'P', name: 'P' })
    return overheard
  }

  /** Sends a request, and records the whole answer with its headers. @param body a text is sent unchanged */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.#admin.url}/platformapi/${path}`, {
      method,
      headers: { cookie: `Session=${this.#admin.key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    this.note(`${method} ${path} ${response.status}`, `${JSON.stringify([...response.headers])}\n${text}`)
    return text === '' ? {} : (JSON.parse(text) as Answer)
  }

  note(where: string, text: string): void {
    this.#seen.push([where, text])
  }

  /** Posts an alert, waits until its run ends, and records its case and journal. Returns the journal too. */
  async investigate(type: string, content: string): Promise<{ readonly alert: Answer; readonly record: Answer; readonly journal: string }> {
    const uuid = await this.post(type, content)
    const alert = await request(this.#admin, 'GET', `/platformapi/alerts/${uuid}`, undefined, { prefer: 'wait=200' })
    const { case_id } = await this.send('GET', `alerts/${uuid}`)
    const record = await this.send('GET', `cases/${String(case_id)}`)
    const { journal, runs } = this.#running.parts.store
    const [run] = await runs.ofAlert(systemScope, asId(uuid))
    if (!run) throw new Error('there is no run')
    const entries = JSON.stringify(await journal.read(systemScope, run.id))
    this.note('journal', entries)
    return { alert, record, journal: entries }
  }

  /** Posts an alert. Returns its UUID. */
  async post(type: string, content: string): Promise<string> {
    const body = { alert_content: content, alert_provider: 'P', organization_code: 'ACME', alert_type: type }
    return String((await this.send('POST', 'alerts', body))['alert_uuid'])
  }

  /** Waits for the decision that the alert's run asks for, and returns it. Throws if the run ends without one. */
  decisionOf(alert: string): Promise<Answer> {
    return until(async () => {
      const { items } = await this.send('GET', 'decisions?state=open')
      const found = (items as Answer[]).find(({ alert_uuid }) => alert_uuid === alert)
      if (found) return found
      const { completed_at, runs } = await this.send('GET', `alerts/${alert}`)
      if (completed_at !== null) throw new Error(`the run asked for no decision: ${JSON.stringify(runs)}`)
      return null
    })
  }

  /** Fails if anything that was recorded, logged or queued contains a canary. */
  expectSilence(): void {
    expect(this.jobs.length).toBeGreaterThan(0)
    this.note('jobs', JSON.stringify(this.jobs))
    this.note('log', this.log.join('\n'))
    for (const [where, text] of this.#seen) expect(sings(text) ? text : '', where).toBe('')
  }

  /** Stops, and fails if a file contains a canary. */
  async expectSilentDisk(): Promise<void> {
    await this.stop()
    const files = readdirSync(this.#installation.directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toContain('tocsin.db')
    for (const { parentPath, name } of files) expect(sings(readFileSync(join(parentPath, name), 'latin1')), name).toBe(false)
  }

  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    await this.#running.stop()
  }
}
