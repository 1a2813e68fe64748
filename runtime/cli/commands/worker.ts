import type { Command } from 'commander'
import { runProcess } from '../../app/index.ts'
import { addProcessFlags, flagsOf } from './process-flags.ts'

/** Not 8080, so that a worker can run beside an API on the same machine. A worker answers only health checks. */
const defaultPort = '8081'

export function workerCommand(program: Command): void {
  const command = program
    .command('worker')
    .description(`Run workers only. With MongoDB and Redis, you can run several. Listens on port ${defaultPort} for health checks.`)
  addProcessFlags(command, { port: defaultPort }).action((options) => {
    const defaults = process.env['TOCSIN_PORT'] ? {} : { port: defaultPort }
    return runProcess('worker', { api: false, worker: true }, { ...defaults, ...flagsOf(options) })
  })
}
