import type { Command } from 'commander'
import { portNumber } from './arguments.ts'
import { type Answer, findTarget, listAll, type Reach, type Target } from './client.ts'
import { fields, json as jsonText, table } from './print.ts'

/** The options of every command that talks to a running Tocsin. */
export interface Shared extends Reach {
  readonly json?: boolean
}

/**
 * Adds the options that say which running Tocsin a command talks to. Without them it finds the one of this user on this machine.
 * @param when begins their help, for commands that need a running Tocsin only sometimes
 */
export function withReach(command: Command, when = ''): Command {
  return command
    .option('--url <url>', `${when}address of Tocsin (TOCSIN_URL, default the server on this machine)`)
    .option('--port <port>', `${when}the server on this machine that listens on this port`, portNumber)
    .option('--data <folder>', `${when}the server on this machine that has this data folder`)
    .option('--key <key>', `${when}API key (TOCSIN_API_KEY, default the admin.key in its data folder)`)
}

/** Adds a command that talks to a running Tocsin. */
export function remoteCommand(parent: Command, nameAndArguments: string, description: string): Command {
  return withReach(parent.command(nameAndArguments).description(description)).option('--json', 'print the answer as JSON')
}

export function show(answer: Answer, { json }: Shared): void {
  console.log(json ? jsonText(answer) : fields(answer))
}

/** Prints a listing as a table, or as one JSON array. */
export async function showList(
  options: Shared,
  path: string,
  columns: Readonly<Record<string, (item: Answer) => unknown>>,
  limit: number,
): Promise<void> {
  const target: Target = findTarget(options)
  const items: Answer[] = []
  for await (const item of listAll(target, path)) {
    items.push(item)
    if (items.length >= limit) break
  }
  if (options.json) console.log(jsonText(items))
  else
    console.log(
      table(
        Object.keys(columns),
        items.map((item) => Object.values(columns).map((read) => read(item))),
      ),
    )
}
