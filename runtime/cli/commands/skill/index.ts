/** `tocsin skill`: list the skills of the loaded plugins, and run one by hand. */
import type { Command } from 'commander'
import { listCommand } from './list.ts'
import { runCommand } from './run.ts'

export function skillCommand(program: Command): void {
  const skill = program.command('skill').description('List skills, and run them by hand.')
  listCommand(skill)
  runCommand(skill)
}
