import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Life } from '../processes/life.ts'
import { primaryOf } from './mongo-proxy.ts'

/** A command that starts the stopped members of the set. */
const restart = process.env['MONGODB_RESTART']

/** The hosts and ports in the URL. */
function membersIn(url: string): readonly string[] {
  return (/^mongodb:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url)?.[1] ?? '').split(',')
}

/** Returns the replica set of the tests if its members can be killed and restarted. If not, says in one line why. */
export function mongoSetAtHand(what: string): MongoSet | null {
  const url = process.env['MONGODB_URL'] ?? ''
  if (restart && membersIn(url).length >= 3) return new MongoSet(url, restart)
  console.log(`skipped: ${what} (MONGODB_URL does not name three members, or MONGODB_RESTART is not set)`)
  return null
}

/** A replica set whose members are processes on this machine. */
export class MongoSet {
  readonly url: string
  readonly #restart: string

  constructor(url: string, command: string) {
    this.url = url
    this.#restart = command
  }

  /** Kills the primary (`kill -9`). Returns its host and port. */
  async killPrimary(): Promise<string> {
    const primary = await primaryOf(this.url)
    const port = Number(primary.split(':').at(-1))
    const processes = mongodsOn(port)
    if (processes.length === 0) throw new Error(`no mongod of this machine has the primary's port ${port}`)
    for (const pid of processes) process.kill(pid, 'SIGKILL')
    return primary
  }

  /** Starts the stopped members, and waits until the command reports a primary. */
  async restart(): Promise<void> {
    const child = spawn(this.#restart, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const life = new Life(this.#restart, child)
    // Not its output: what it starts may keep that open.
    if ((await life.ended()).code !== 0) throw new Error(life.describe())
  }
}

/** Finds the processes `mongod … --port <port>` (Linux, proc(5)). */
function mongodsOn(port: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      const [program = '', ...words] = pid > 0 ? commandLine(pid) : []
      return program.includes('mongod') && words[words.indexOf('--port') + 1] === String(port)
    })
}

function commandLine(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    // The process has ended meanwhile.
    return []
  }
}
