import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../../runtime/app/start.ts'
import type { Target } from '../../runtime/cli/client.ts'
import { readConfig, systemIds } from '../../runtime/config/index.ts'
import type { Millis } from '../../runtime/domain/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { seeded } from '../support/seeded.ts'
import { DemoClock } from './clock.ts'
import { type Systems, startSystems } from './systems.ts'

/** A Tocsin with simulated external systems, all in this process. It keeps its files in a temporary folder. */
export interface DemoInstallation {
  readonly admin: Target
  readonly clock: DemoClock
  readonly systems: Systems
  /** Its data folder. */
  readonly data: string
  /** Stops everything, and removes the files. */
  stop(): Promise<void>
}

/** How long the simulated systems take to answer, on the demo's clock. */
const slowest: Millis = 900

/** @param beginning where the demo's clock begins */
export async function startInstallation(beginning: Millis): Promise<DemoInstallation> {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-demo-'))
  const clock = new DemoClock(beginning)
  const latency = seeded(1)
  // The demo's clock stands still in the past, so answers take time only on this clock.
  const answersAfter = (): number => {
    clock.pass(80 + latency(slowest - 80))
    return 0
  }
  const data = join(directory, 'data')
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  try {
    const systems = await startSystems({ pki: join(directory, 'pki'), now: () => clock.now(), answersAfter })
    const environment = { TOCSIN_DATA: data, TOCSIN_CA_FILE: systems.ca, TOCSIN_EGRESS_ALLOW: '127.0.0.1', TOCSIN_LOG_LEVEL: 'fatal' }
    const config = readConfig(environment, { port: '0' })
    const logger = createLogger({ level: config.logLevel, destination: process.stderr })
    const running = await start(config, { api: true, worker: true }, logger, { clock, ids: systemIds })
    return {
      admin: { url: running.url, key: running.firstKey?.value ?? '' },
      clock,
      systems,
      data,
      async stop() {
        await running.stop()
        await systems.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
