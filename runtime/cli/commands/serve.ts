import type { Command } from 'commander'
import { runProcess } from '../../app/index.ts'
import { addProcessFlags, flagsOf } from './process-flags.ts'

export function serveCommand(program: Command): void {
  addProcessFlags(program.command('serve').description('Run the API only. With MongoDB and Redis, you can run several.')).action((options) =>
    runProcess('serve', { api: true, worker: false }, flagsOf(options)),
  )
}
