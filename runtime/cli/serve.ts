import type { Command } from 'commander'
import { TocsinError } from '../errors/index.ts'
import { addProcessFlags, runProcess } from './process.ts'

/** An embedded store has one owner, so a process of its own for each role needs services that are shared. */
export function needServices(name: string): void {
  const missing = ['MONGODB_URL', 'REDIS_URL'].filter((variable) => !process.env[variable])
  if (missing.length > 0) throw new TocsinError('config_invalid', `tocsin ${name} needs ${missing.join(' and ')}; without them use tocsin up.`)
}

export function serveCommand(program: Command): void {
  addProcessFlags(program.command('serve').description('Run the API alone; any number of these, with MongoDB and Redis.')).action(async (options) => {
    needServices('serve')
    await runProcess('serve', { api: true, worker: false }, options)
  })
}
