import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export const redisServerOnPath = spawnSync('redis-server', ['--version']).status === 0

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** A Redis of one test's own, to be broken: on loopback, in memory only. */
export class RedisServer {
  readonly url: string
  readonly #port: number
  readonly #directory = mkdtempSync(join(tmpdir(), 'queue-test-'))
  #process: ChildProcess | null = null

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort())
    await server.start()
    return server
  }

  private constructor(port: number) {
    this.#port = port
    this.url = `redis://127.0.0.1:${port}`
  }

  /** Resolves when it answers. Starting it again after `kill` keeps the address and nothing else. */
  async start(): Promise<void> {
    const options = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', this.#directory]
    this.#process = spawn('redis-server', ['--port', String(this.#port), ...options], { stdio: 'ignore' })
    await this.ask((client) => client.ping())
  }

  /** Does something with a connection of its own, as an operator would. Waits for the server while it starts. */
  async ask<T>(question: (client: Redis) => Promise<T>): Promise<T> {
    const client = new Redis(this.url, { connectionName: 'operator', retryStrategy: () => 20, maxRetriesPerRequest: null })
    client.on('error', () => {})
    try {
      return await question(client)
    } finally {
      client.disconnect()
    }
  }

  /** As a power cut does. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** It keeps its connections and answers nothing until `resume`. */
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
