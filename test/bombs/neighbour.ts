import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { alertOf, type Range, tenants, waiting } from './range.ts'

/** What one tenant saw while another sent bombs. Times are in milliseconds of real time. */
export interface Experience {
  /** How long each request took: a health check, a posted alert, a list. */
  readonly requests: readonly number[]
  /** How long each run took, from the post to its end. */
  readonly runs: readonly number[]
  /** What went wrong, in words. Empty if nothing did. */
  readonly wrong: readonly string[]
}

/** A tenant with ordinary work: it reads, posts alerts, and has one simple run after the other. */
export class Neighbour {
  readonly #pool: Pool
  readonly #headers: Record<string, string>
  #requests: number[] = []
  #runs: number[] = []
  #wrong: string[] = []
  #posted = 0
  #stopped = false
  readonly #work: Promise<unknown>

  /** @param pause milliseconds between two rounds */
  constructor({ neighbour }: Range, pause: number) {
    this.#pool = new Pool(neighbour.url, { connections: 4, pipelining: 1 })
    this.#headers = { cookie: `Session=${neighbour.key}`, 'content-type': 'application/json' }
    this.#work = Promise.all([this.#round(pause, () => this.#ask()), this.#round(pause, () => this.#investigate())])
  }

  /** Returns what it saw since the last call. */
  take(): Experience {
    const taken = { requests: this.#requests, runs: this.#runs, wrong: this.#wrong }
    this.#requests = []
    this.#runs = []
    this.#wrong = []
    return taken
  }

  /** The number of alerts that it posted. */
  get posted(): number {
    return this.#posted
  }

  /** Stops. Calling it again does nothing. */
  async stop(): Promise<void> {
    if (this.#stopped) return
    this.#stopped = true
    await this.#work
    await this.#pool.close()
  }

  async #round(pause: number, work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      await work().catch((error: unknown) => this.#wrong.push(String(error)))
      await sleep(pause)
    }
  }

  async #ask(): Promise<void> {
    const timed = async (method: 'GET' | 'POST', path: string, body?: object): Promise<void> => {
      const began = performance.now()
      await this.#send(method, path, body)
      this.#requests.push(performance.now() - began)
    }
    await timed('GET', '/readyz')
    await timed('POST', '/platformapi/alerts', alertOf(tenants.neighbour, null, { title: 'quiet' }))
    this.#posted += 1
    await timed('GET', '/platformapi/alerts?limit=20')
  }

  async #investigate(): Promise<void> {
    const began = performance.now()
    const alert = await this.#send('POST', '/platformapi/alerts', alertOf(tenants.neighbour, 'neighbour', { user: 'ada' }), waiting)
    this.#posted += 1
    this.#runs.push(performance.now() - began)
    if (alert['investigation_status'] !== 15) this.#wrong.push(`a run ended with ${String(alert['investigation_status'])}`)
  }

  async #send(method: 'GET' | 'POST', path: string, body?: object, headers: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#pool.request({
      method,
      path,
      headers: { ...this.#headers, ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const value = (await answer.body.json()) as Readonly<Record<string, unknown>>
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(value)}`)
    return value
  }
}
