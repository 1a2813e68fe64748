import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A process that says where it is as one line of JSON, and ends when its standard input ends. */
export interface Child<Told> {
  readonly told: Told
  readonly pid: number
  stop(): Promise<void>
}

/** Starts `node <file> <args>`. Rejects if the process ends before it has said where it is. */
export async function startChild<Told>(file: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Child<Told>> {
  const child = spawn(process.execPath, [file, ...args], { env: { PATH: process.env['PATH'], ...environment }, stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const failed = gone.then(([code]) => {
    throw new Error(`${file} ended with ${code}`)
  })
  failed.catch(() => {})
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
  return {
    told: JSON.parse(line) as Told,
    pid: child.pid ?? 0,
    async stop() {
      child.stdin.end()
      await gone
    },
  }
}
