import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { scripts: { start: string } }
/** The options that `npm start` gives to Node. */
const options = scripts.start.split(' ').filter((word) => word.startsWith('--'))

export interface TocsinProcess {
  readonly url: string
  readonly child: ChildProcess
  stop(): Promise<void>
}

/**
 * Starts `tocsin <command>` as `npm start` does, and resolves when it listens.
 * @param log gets the log lines; without it, they are shown
 * @param preload a module that the process loads first; it can send IPC messages to this process
 * @param port where it listens: a process that takes the place of another. Absent: on any free port
 */
export async function spawnTocsin(
  command: 'up' | 'serve' | 'worker',
  environment: NodeJS.ProcessEnv,
  log?: string[],
  preload?: URL,
  port = '0',
): Promise<TocsinProcess> {
  const flags = preload ? ['--import', preload.href] : []
  const child: ChildProcess = spawn(process.execPath, [...options, ...flags, main, command, '--port', port], {
    env: { ...process.env, XDG_STATE_HOME: join(tmpdir(), 'tocsin-test-state'), ...environment },
    stdio: ['ignore', 'pipe', log ? 'pipe' : 'inherit', ...(preload ? (['ipc'] as const) : [])],
  })
  if (child.stderr) createInterface(child.stderr).on('line', (line) => log?.push(line))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`tocsin ${command} ended with ${code} before it listened`)))
    if (child.stdout)
      createInterface(child.stdout).on('line', (line) => {
        const found = /listens on (http:\S+)/.exec(line)
        if (found?.[1]) resolve(found[1])
      })
  })
  return {
    url,
    child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
