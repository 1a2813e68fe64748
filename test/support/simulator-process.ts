import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../simulators/mailsec/main.ts', import.meta.url))

/** A simulator in a process of its own. */
export interface SimulatorProcess {
  readonly url: string
  /** The file of the test CA. */
  readonly ca: string
  readonly token: string
  stop(): Promise<void>
}

/** Starts the e-mail-security simulator; it ends with this process, however that ends. @param pki folder for the test CA */
export async function spawnMailsecSimulator(pki: string, ...flags: readonly string[]): Promise<SimulatorProcess> {
  const child: ChildProcess = spawn(process.execPath, [main, '--pki', pki, '--tied', ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulator ended with ${code}`)
  })
  failed.catch(() => {})
  if (!child.stdout) throw new Error('the simulator has no output')
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
  const { url, ca, token } = JSON.parse(line) as { url: string; ca: string; token: string }
  return {
    url,
    ca,
    token,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
