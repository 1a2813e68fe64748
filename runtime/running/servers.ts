import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../files/index.ts'

/** A Tocsin of this user that serves the API on this machine. */
export interface RunningServer {
  readonly pid: number
  /** Host name, because several machines may share a home folder. */
  readonly machine: string
  readonly url: string
  /** Its data folder, as an absolute path. */
  readonly data: string
}

/** The folder where servers write their addresses, so that the command line finds them whatever their `--port` and `--data`. */
function folderOf(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'tocsin', 'running')
}

/** Returns an address that clients can connect to. For a server that listens on all addresses: the loopback address. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}

/**
 * Writes the address of this process to a file, where `runningServers` finds it.
 * @returns a function that removes it again
 */
export function announceServer(server: Pick<RunningServer, 'url' | 'data'>, environment: NodeJS.ProcessEnv): () => void {
  const folder = folderOf(environment)
  const file = join(folder, `${hostname()}-${process.pid}.json`)
  const found: RunningServer = { pid: process.pid, machine: hostname(), url: reachable(server.url), data: server.data }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, JSON.stringify(found), { mode: 0o600 })
  } catch {
    // There is no home folder, or it is not writable. Then the command line needs --url.
    return () => {}
  }
  return () => rmSync(file, { force: true })
}

/** Lists the servers of this user on this machine whose process is alive. Removes the files of dead processes. */
export function runningServers(environment: NodeJS.ProcessEnv): readonly RunningServer[] {
  const folder = folderOf(environment)
  let names: readonly string[]
  try {
    // If others could write to this folder, they could make the command line send the admin key to any address.
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
