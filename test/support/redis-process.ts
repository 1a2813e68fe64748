import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'

/** Whether a Redis of a test's own can be started here. */
export const redisAtHand = spawnSync('redis-server', ['--version']).status === 0

/** A Redis of a test's own, which keeps nothing on a disk. It ends with this process's `stop`. */
export interface RedisProcess {
  readonly port: number
  /** Ends it at once, with all that it holds. */
  kill(): Promise<void>
  /** Starts it again, empty, where it was. */
  start(): Promise<void>
  flush(): Promise<void>
  stop(): Promise<void>
}

/** @param port a free one */
export async function startRedisProcess(port: number): Promise<RedisProcess> {
  let child: ChildProcess | null = null
  const kill = async (): Promise<void> => {
    if (!child) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    child = null
  }
  const start = async (): Promise<void> => {
    const started = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = started
    await new Promise<void>((resolve, reject) => {
      started.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it listened`)))
      createInterface(started.stdout).on('line', (line) => line.includes('Ready to accept connections') && resolve())
    })
  }
  await start()
  return {
    port,
    kill,
    start,
    async flush() {
      const client = new Redis({ port, host: '127.0.0.1' })
      await client.flushall()
      client.disconnect()
    },
    stop: kill,
  }
}
