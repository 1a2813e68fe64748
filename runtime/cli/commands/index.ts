/**
 * The commands of `tocsin`: a file or a folder for each.
 * A command reads its arguments. It then asks a running Tocsin (`../client.ts`) or does the work itself. `../views/` has the text that it prints.
 * To add one, write its file and add a line to this list.
 */
import type { Command } from 'commander'
import { alertCommand } from './alert.ts'
import { caseCommand } from './case.ts'
import { organizationCommand, providerCommand } from './codes.ts'
import { connectionCommand } from './connection.ts'
import { decisionCommand } from './decision/index.ts'
import { keyCommand } from './key.ts'
import { pauseCommand, resumeCommand } from './pause.ts'
import { playbookCommand } from './playbook/index.ts'
import { pluginCommand } from './plugin.ts'
import { runCommand } from './run/index.ts'
import { serveCommand } from './serve.ts'
import { skillCommand } from './skill.ts'
import { storeCommand } from './store.ts'
import { upCommand } from './up.ts'
import { webhookCommand } from './webhook.ts'
import { workerCommand } from './worker.ts'

/** Adds a command to the program. */
type AddCommand = (program: Command) => void

/** In the order of `tocsin --help`. */
export const commands: readonly AddCommand[] = [
  upCommand,
  serveCommand,
  workerCommand,
  alertCommand,
  caseCommand,
  decisionCommand,
  organizationCommand,
  providerCommand,
  connectionCommand,
  keyCommand,
  playbookCommand,
  pluginCommand,
  skillCommand,
  runCommand,
  webhookCommand,
  pauseCommand,
  resumeCommand,
  storeCommand,
]
