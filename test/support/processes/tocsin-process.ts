import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type End, Life } from './life.ts'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { scripts: { start: string } }
/** The options that `npm start` gives to Node. */
const options = scripts.start.split(' ').filter((word) => word.startsWith('--'))

/** Shows a line. Taken before a test can replace it, to read what a command prints in this process. */
const show = process.stderr.write.bind(process.stderr)

/** What takes the log lines of a process, such as an array. */
export interface LogLines {
  push(line: string): unknown
}

export interface TocsinProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Resolves when it has ended. A test that does not call this, and does not signal the process, is told if it ends. */
  ended(): Promise<End>
  /** Kills it like `kill -9`, and resolves when it has ended. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts `tocsin <command>` as `npm start` does, and resolves when it listens.
 * @param log gets the log lines; without it, they are shown
 * @param preload a module that the process loads first; it can send IPC messages to this process
 * @param port where it listens: a process that takes the place of another. Absent: on any free port
 * @throws with what it printed, if it ends before it listens
 */
export async function spawnTocsin(
  command: 'up' | 'serve' | 'worker',
  environment: NodeJS.ProcessEnv,
  log?: LogLines,
  preload?: URL,
  port = '0',
): Promise<TocsinProcess> {
  const flags = preload ? ['--import', preload.href] : []
  const child: ChildProcess = spawn(process.execPath, [...options, ...flags, main, command, '--port', port], {
    env: { ...process.env, XDG_STATE_HOME: join(tmpdir(), 'tocsin-test-state'), ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload ? (['ipc'] as const) : [])],
  })
  const life = new Life(`tocsin ${command}`, child)
  if (child.stderr) createInterface(child.stderr).on('line', (line) => (log ? log.push(line) : show(`${line}\n`)))
  const listens = new Promise<string>((resolve) => {
    if (child.stdout)
      createInterface(child.stdout).on('line', (line) => {
        const found = /listens on (http:\S+)/.exec(line)
        if (found?.[1]) resolve(found[1])
      })
  })
  const url = await life.before(listens)
  return { url, child, ended: () => life.ended(), kill: () => life.kill(), stop: () => life.stop() }
}
