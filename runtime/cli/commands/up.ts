import type { Command } from 'commander'
import { runProcess } from '../../app/index.ts'
import { addProcessFlags, flagsOf } from './process-flags.ts'

export function upCommand(program: Command): void {
  addProcessFlags(program.command('up').description('Run everything in one process: the API and the workers.')).action((options) =>
    runProcess('up', { api: true, worker: true }, flagsOf(options)),
  )
}
