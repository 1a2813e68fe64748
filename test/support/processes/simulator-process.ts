import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

function mainOf(simulator: 'mailsec' | 'mfa'): string {
  return fileURLToPath(new URL(`../../simulators/${simulator}/main.ts`, import.meta.url))
}

/** A simulator in its own process. */
export interface SimulatorProcess {
  readonly url: string
  /** The file of the test CA. */
  readonly ca: string
  readonly token: string
  stop(): Promise<void>
}

/** The MFA provider in its own process, and the values of its properties file. */
export interface MfaProcess extends SimulatorProcess {
  readonly idp_url: string
  readonly org_alias: string
  readonly use_base64_key: string
}

/** Starts the e-mail-security simulator. It ends when this process ends, even if that crashes. @param pki folder for the test CA */
export function spawnMailsecSimulator(pki: string, ...flags: readonly string[]): Promise<SimulatorProcess> {
  return spawnSimulator<SimulatorProcess>(mainOf('mailsec'), pki, flags)
}

/** Starts the simulator of the MFA provider in the same way. */
export function spawnMfaSimulator(pki: string, ...flags: readonly string[]): Promise<MfaProcess> {
  return spawnSimulator<MfaProcess>(mainOf('mfa'), pki, flags)
}

async function spawnSimulator<Told extends SimulatorProcess>(main: string, pki: string, flags: readonly string[]): Promise<Told> {
  const child: ChildProcess = spawn(process.execPath, [main, '--pki', pki, '--tied', ...flags], { stdio: ['pipe', 'pipe', 'inherit'] })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the simulator ended with ${code}`)
  })
  failed.catch(() => {})
  if (!child.stdout) throw new Error('the simulator has no output')
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
  const told = JSON.parse(line) as Told
  return {
    ...told,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
