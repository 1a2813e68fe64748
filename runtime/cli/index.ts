import { Command } from 'commander'
import { alertCommand } from './alert.ts'
import { caseCommand } from './case.ts'
import { organizationCommand, providerCommand } from './codes.ts'
import { connectionCommand } from './connection.ts'
import { decisionCommand } from './decision.ts'
import { keyCommand } from './key.ts'
import { pauseCommand, resumeCommand } from './pause.ts'
import { playbookCommand } from './playbook.ts'
import { pluginCommand } from './plugin.ts'
import { runCommand } from './run.ts'
import { serveCommand } from './serve.ts'
import { skillCommand } from './skill.ts'
import { storeCommand } from './store.ts'
import { upCommand } from './up.ts'
import { version } from './version.ts'
import { webhookCommand } from './webhook.ts'
import { workerCommand } from './worker.ts'

/** The `tocsin` command. A new command is a file here and a line in this list. */
export function buildProgram(): Command {
  const program = new Command('tocsin').description('A managed-detection-and-response runtime.').version(version).showHelpAfterError()
  const commands = [
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
  for (const add of commands) add(program)
  return program
}
