import { readFileSync } from 'node:fs'
import { Pool } from 'undici'

/** Calls the system over HTTPS, as Tocsin's skills do. */
export class SystemClient {
  readonly #pool: Pool
  readonly #token: string

  /** @param ca the file of the certificate authority */
  constructor(url: string, ca: string, token: string) {
    this.#pool = new Pool(url, { connections: 64, connect: { ca: readFileSync(ca, 'utf8') } })
    this.#token = token
  }

  /** Reads one item of the system. */
  enrich(item: string): Promise<{ readonly id: string }> {
    return this.#call('GET', `/enrich?item=${encodeURIComponent(item)}`, null)
  }

  /** Changes one item of the system. */
  act(item: string): Promise<{ readonly id: string }> {
    return this.#call('POST', '/act', JSON.stringify({ item }))
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #call(method: 'GET' | 'POST', path: string, body: string | null): Promise<{ readonly id: string }> {
    const headers = { 'x-token': this.#token, ...(body !== null && { 'content-type': 'application/json' }) }
    const answer = await this.#pool.request({ method, path, body, headers })
    const value = await answer.body.json()
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode}`)
    return value as { id: string }
  }
}
