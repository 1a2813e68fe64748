/**
 * The commands of `tocsin`: a file or a folder for each.
 * A command reads its arguments. It then asks a running Tocsin (`../client.ts`) or does the work itself. `../views/` has the text that it prints.
 * To add one, write its file and add a line to this list.
 */
import type { Command } from 'commander'

/** Adds a command to the program. */
type AddCommand = (program: Command) => void

/**
 * How each command is loaded, in the order of `tocsin --help`. A call loads only its own command: all of them together load the whole
 * runtime, which takes a second.
 */
export const commands: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ['up', async () => (await import('./up.ts')).upCommand],
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['worker', async () => (await import('./worker.ts')).workerCommand],
  ['alert', async () => (await import('./alert.ts')).alertCommand],
  ['case', async () => (await import('./case/index.ts')).caseCommand],
  ['decision', async () => (await import('./decision/index.ts')).decisionCommand],
  ['organization', async () => (await import('./codes.ts')).organizationCommand],
  ['provider', async () => (await import('./codes.ts')).providerCommand],
  ['connection', async () => (await import('./connection.ts')).connectionCommand],
  ['agent', async () => (await import('./agent.ts')).agentCommand],
  ['key', async () => (await import('./key.ts')).keyCommand],
  ['audit', async () => (await import('./audit.ts')).auditCommand],
  ['playbook', async () => (await import('./playbook/index.ts')).playbookCommand],
  ['plugin', async () => (await import('./plugin.ts')).pluginCommand],
  ['skill', async () => (await import('./skill/index.ts')).skillCommand],
  ['run', async () => (await import('./run/index.ts')).runCommand],
  ['fetch', async () => (await import('./fetch.ts')).fetchCommand],
  ['webhook', async () => (await import('./webhook.ts')).webhookCommand],
  ['pause', async () => (await import('./pause.ts')).pauseCommand],
  ['resume', async () => (await import('./pause.ts')).resumeCommand],
  ['store', async () => (await import('./store.ts')).storeCommand],
])
