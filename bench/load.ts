import { Pool } from 'undici'

export interface Posted {
  readonly alert_id: string
  readonly alert_uuid: string
  readonly investigation_status: number
}

/** Posts alerts to one Tocsin over keep-alive connections. */
export class Load {
  readonly #pool: Pool
  readonly #headers: Record<string, string>

  constructor(url: string, key: string, connections: number) {
    this.#pool = new Pool(url, { connections, pipelining: 1 })
    this.#headers = { cookie: `Session=${key}`, 'content-type': 'application/json' }
  }

  async call(method: 'GET' | 'POST', path: string, body?: unknown, headers: Record<string, string> = {}): Promise<unknown> {
    const text = body === undefined ? null : JSON.stringify(body)
    const answer = await this.#pool.request({ method, path, headers: { ...this.#headers, ...headers }, body: text })
    const value = await answer.body.json()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${JSON.stringify(value)}`)
    return value
  }

  /** Posts one alert, given as JSON. */
  async post(body: string): Promise<Posted> {
    const answer = await this.#pool.request({ method: 'POST', path: '/platformapi/alerts', headers: this.#headers, body })
    if (answer.statusCode !== 200) throw new Error(`POST: ${answer.statusCode} ${await answer.body.text()}`)
    return (await answer.body.json()) as Posted
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
