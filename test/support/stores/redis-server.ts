import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Life } from '../processes/life.ts'

export const redisServerOnPath = spawnSync('redis-server', ['--version']).status === 0

/** Ports below the ephemeral range, so that no other process gets the port of a server that is down for a moment. */
const [lowest, highest] = [20_000, 32_000]

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** A Redis for one test, which may break it: on loopback, only in memory. */
export class RedisServer {
  readonly port: number
  readonly url: string
  readonly #directory = mkdtempSync(join(tmpdir(), 'queue-test-'))
  #process: ChildProcess | null = null
  #life: Life | null = null

  static async start(): Promise<RedisServer> {
    const server = await RedisServer.reserve()
    await server.start()
    return server
  }

  /** Makes a server that is not started yet, but has its address. */
  static async reserve(): Promise<RedisServer> {
    return new RedisServer(await freePort())
  }

  private constructor(port: number) {
    this.port = port
    this.url = `redis://127.0.0.1:${port}`
  }

  /** Starts it, and resolves when it answers. After `kill`, it keeps its address but not its data. */
  async start(): Promise<void> {
    const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.#directory]
    this.#process = spawn('redis-server', ['--port', String(this.port), ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#life = new Life('redis-server', this.#process)
    await this.#life.before(this.ask((client) => client.ping()))
  }

  /** Does something over a separate connection, as an operator would. Waits until the server has started. */
  async ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(this.url, { connectionName: 'operator', retryStrategy: () => 20, maxRetriesPerRequest: null })
    client.on('error', () => {})
    try {
      return await question(client)
    } finally {
      client.disconnect()
    }
  }

  /** Ends it at once, like a power cut. */
  async kill(): Promise<void> {
    await this.#life?.kill()
  }

  /** Stops it until `resume`: it keeps its connections and answers nothing. */
  pause(): void {
    this.#process?.kill('SIGSTOP')
  }

  resume(): void {
    this.#process?.kill('SIGCONT')
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
