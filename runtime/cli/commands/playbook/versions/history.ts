import type { Command } from 'commander'
import type { Answer } from '../../../client.ts'
import { time } from '../../../print.ts'
import { remoteCommand, showList } from '../../../remote-command.ts'
import { ofPlace, type PlaceOptions, placePath, placeQuery } from './place.ts'
import { shortDigest } from './versions.ts'

const columns = {
  REVISION: (item: Answer) => item['revision'],
  WHEN: (item: Answer) => time(item['activated_at']),
  PLAYBOOK: (item: Answer) => (item['withdrawn'] === true ? '(withdrawn)' : item['name']),
  DIGEST: (item: Answer) => shortDigest(item['digest']),
  SOURCE: (item: Answer) => item['source'],
  BY: (item: Answer) => item['activated_by_name'] ?? item['activated_by'] ?? 'Tocsin',
}

/** Adds `tocsin playbook history`. */
export function historyCommand(playbook: Command): void {
  ofPlace(remoteCommand(playbook, 'history <type>', 'List all playbooks that were ever active for an alert type, newest first.')).action(
    (type: string, options: PlaceOptions) => showList(options, placePath(type, `/history${placeQuery(options)}`), columns, Number.POSITIVE_INFINITY),
  )
}
