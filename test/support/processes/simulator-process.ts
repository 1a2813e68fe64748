import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Life } from './life.ts'

const main = fileURLToPath(new URL('../../simulators/mailsec/main.ts', import.meta.url))

/** A simulator in its own process. */
export interface SimulatorProcess {
  readonly url: string
  /** The file of the test CA. */
  readonly ca: string
  readonly token: string
  stop(): Promise<void>
}

/** Starts the e-mail-security simulator. It ends when this process ends, even if that crashes. @param pki folder for the test CA */
export async function spawnMailsecSimulator(pki: string, ...flags: readonly string[]): Promise<SimulatorProcess> {
  const child: ChildProcess = spawn(process.execPath, [main, '--pki', pki, '--tied', ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  if (!child.stdout) throw new Error('the simulator has no output')
  const life = new Life('the simulator', child)
  const [line] = (await life.before(once(createInterface(child.stdout), 'line'))) as [string]
  const told = JSON.parse(line) as SimulatorProcess
  return { ...told, stop: () => life.stop() }
}
