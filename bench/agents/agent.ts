import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** What an agent needs to know. */
export interface AgentGround {
  /** The address of Tocsin. */
  readonly url: string
  /** Its enrolment token. */
  readonly token: string
  /** The address of the system that it may connect to. */
  readonly system: string
  readonly keyFile: string
}

export interface AgentProcess {
  readonly pid: number
  stop(): Promise<void>
}

/** Starts `tocsin agent run`, and waits until it is connected. Rejects with what it says if it cannot connect. */
export async function startAgent({ url, token, system, keyFile }: AgentGround): Promise<AgentProcess> {
  const main = fileURLToPath(new URL('../../runtime/tocsin.js', import.meta.url))
  const child = spawn(process.execPath, [main, 'agent', 'run', '--url', url, '--key-file', keyFile], {
    env: { PATH: process.env['PATH'], TOCSIN_AGENT_TOKEN: token, TOCSIN_AGENT_ALLOW: new URL(system).host },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const gone = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill()
    await gone
  }
  let said = 'nothing'
  for await (const line of createInterface(child.stderr)) {
    said = line
    if (line.includes('"connected to the platform"')) {
      // It goes on to log, and must not wait for a reader.
      child.stderr.resume()
      return { pid: child.pid ?? 0, stop }
    }
    if (!line.includes('"the agent starts"')) break
  }
  await stop()
  throw new Error(`The agent did not connect. It said: ${said}`)
}
