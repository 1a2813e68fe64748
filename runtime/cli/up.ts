import type { Command } from 'commander'
import { addProcessFlags, runProcess } from './process.ts'

export function upCommand(program: Command): void {
  addProcessFlags(program.command('up').description('Run everything in one process: the API and the workers.')).action((options) =>
    runProcess('up', { api: true, worker: true }, options),
  )
}
