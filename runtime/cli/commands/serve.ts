import type { Command } from 'commander'
import { runProcess } from '../../app/index.ts'
import { addProcessFlags, flagsOf } from './process-flags.ts'

export function serveCommand(program: Command): void {
  addProcessFlags(program.command('serve').description('Run the API alone; any number of these, with MongoDB and Redis.')).action((options) =>
    runProcess('serve', { api: true, worker: false }, flagsOf(options)),
  )
}
