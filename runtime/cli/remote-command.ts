import type { Command } from 'commander'
import { type Answer, findTarget, listAll, type Target } from './client.ts'
import { fields, json as jsonText, table } from './print.ts'

/** The options of every command that talks to a running Tocsin. */
export interface Shared {
  readonly url?: string
  readonly key?: string
  readonly json?: boolean
}

/** Adds a command that talks to a running Tocsin. */
export function remoteCommand(parent: Command, nameAndArguments: string, description: string): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option('--url <url>', 'address of Tocsin (TOCSIN_URL, default the server on this machine)')
    .option('--key <key>', 'API key (TOCSIN_API_KEY, default the admin.key in its data folder)')
    .option('--json', 'print the answer as JSON')
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
