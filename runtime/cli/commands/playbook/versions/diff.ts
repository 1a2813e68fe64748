import type { Command } from 'commander'
import { findTarget, listAll, request } from '../../../client.ts'
import { json as jsonText, raw } from '../../../print.ts'
import { remoteCommand } from '../../../remote-command.ts'
import { ofPlace, type PlaceOptions, placePath, placeQuery } from './place.ts'
import { digestNamed } from './versions.ts'

/** Adds `tocsin playbook diff`. */
export function diffCommand(playbook: Command): void {
  ofPlace(remoteCommand(playbook, 'diff <type> [from] [to]', 'Show what changed between two playbooks of an alert type, as a unified diff.'))
    .addHelpText('after', '\n<from> and <to> are revisions or digests. Without <to>: the newest. Without both: the newest against the one before it.')
    .action(async (type: string, from: string | undefined, to: string | undefined, options: PlaceOptions) => {
      const target = findTarget(options)
      const [newest, before] = await newestTwo(listAll(target, placePath(type, `/history${placeQuery(options)}`)))
      const first = await digestNamed(target, type, options, from ?? before)
      const second = await digestNamed(target, type, options, to ?? newest)
      const answer = await request(target, 'GET', `/platformapi/playbook-versions/${first}/diff?to=${second}`)
      if (options.json) console.log(jsonText(answer))
      else process.stdout.write(raw(String(answer['diff'])))
      const alone = from === undefined && to === undefined && newest === before
      if (answer['diff'] === '') console.error(alone ? `There is no revision before ${newest} to compare it with.` : 'Their texts are the same.')
      if (answer['shortest'] === false)
        console.error('They differ in more than 2,000 lines. Everything from the first to the last change is shown as replaced.')
    })
}

/** Returns the newest revision and the one before it. Returns the same twice if there is only one. */
async function newestTwo(history: AsyncIterable<Readonly<Record<string, unknown>>>): Promise<readonly [string, string]> {
  const revisions: string[] = []
  for await (const each of history) {
    revisions.push(String(each['revision']))
    if (revisions.length === 2) break
  }
  const [newest = '1', before = newest] = revisions
  return [newest, before]
}
