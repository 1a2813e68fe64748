import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { Redis } from 'ioredis'

/** Below the range from which the system gives ports to others. */
const [lowest, highest] = [20_000, 32_000]

export interface RedisOnDisk {
  readonly url: string
  stop(): Promise<void>
}

/** Starts a Redis on loopback that answers a write only after it is on the disk (`appendfsync always`). @param folder for its data */
export async function startRedisOnDisk(folder: string): Promise<RedisOnDisk> {
  mkdirSync(folder, { recursive: true })
  const port = randomInt(lowest, highest)
  const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--maxmemory-policy', 'noeviction']
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...kept], { stdio: 'ignore' })
  const ended = once(child, 'exit').then(
    ([code]) => {
      throw new Error(`redis-server ended with ${code}: is port ${port} free?`)
    },
    (cause: unknown) => {
      throw new Error('Floors 1 and 2 start `redis-server`, and it is not there. Install Redis (Debian: `apt-get install redis-server`).', { cause })
    },
  )
  ended.catch(() => {})
  const url = `redis://127.0.0.1:${port}`
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  try {
    await Promise.race([client.ping(), ended])
  } finally {
    client.disconnect()
  }
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
