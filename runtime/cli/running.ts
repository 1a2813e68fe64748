import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../files/index.ts'

/** A Tocsin of this user that serves the API on this machine. */
export interface RunningServer {
  readonly pid: number
  /** Machines may share a home folder. */
  readonly machine: string
  readonly url: string
  /** Its data folder, as an absolute path. */
  readonly data: string
}

/** Where servers leave their addresses, so that the command line finds them whatever their `--port` and `--data`. */
function folderOf(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'tocsin', 'running')
}

/** An address that can be connected to: a server that listens everywhere has none of its own. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/**
 * Leaves the address of this process where `runningServers` finds it.
 * @returns takes it away again
 */
export function announceServer(server: Pick<RunningServer, 'url' | 'data'>, environment: NodeJS.ProcessEnv): () => void {
  const folder = folderOf(environment)
  const file = join(folder, `${hostname()}-${process.pid}.json`)
  const found: RunningServer = { pid: process.pid, machine: hostname(), url: reachable(server.url), data: server.data }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(found), { mode: 0o600 })
  } catch {
    // Without a home folder, or with one that cannot be written, the command line needs --url.
    return () => {}
  }
  return () => rmSync(file, { force: true })
}

/** Servers of this user on this machine whose process lives; what others left behind is removed. */
export function runningServers(environment: NodeJS.ProcessEnv): readonly RunningServer[] {
  const folder = folderOf(environment)
  let names: readonly string[]
  try {
    // Whoever could write here could have the admin key sent anywhere.
    if (!isOurs(folder)) return []
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.flatMap((name) => {
    const server = readServer(join(folder, name))
    if (!server || server.machine !== hostname()) return []
    if (isAlive(server.pid)) return [server]
    rmSync(join(folder, name), { force: true })
    return []
  })
}

function isOurs(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  return uid === userInfo().uid && (mode & 0o022) === 0
}

function readServer(file: string): RunningServer | null {
  try {
    const { pid, machine, url, data } = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningServer>
    if (typeof pid !== 'number' || typeof machine !== 'string' || typeof url !== 'string' || typeof data !== 'string') return null
    return { pid, machine, url, data }
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
