import type { Command } from 'commander'
import { runProcess } from '../../app/index.ts'
import { addProcessFlags, flagsOf } from './process-flags.ts'

/** Beside an API on the same machine; a worker answers health checks only. */
const defaultPort = '8081'

export function workerCommand(program: Command): void {
  const command = program
    .command('worker')
    .description(`Run workers only. With MongoDB and Redis, you can run several. Listens on port ${defaultPort} for health checks.`)
  addProcessFlags(command).action((options) => {
    const defaults = process.env['TOCSIN_PORT'] ? {} : { port: defaultPort }
    return runProcess('worker', { api: false, worker: true }, { ...defaults, ...flagsOf(options) })
  })
}
