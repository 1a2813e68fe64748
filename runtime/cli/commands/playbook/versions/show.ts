import type { Command } from 'commander'
import { findTarget, request } from '../../../client.ts'
import { json as jsonText, raw } from '../../../print.ts'
import { remoteCommand } from '../../../remote-command.ts'
import { ofPlace, type PlaceOptions, placePath, placeQuery } from './place.ts'
import { digestNamed } from './versions.ts'

/** Adds `tocsin playbook show`. */
export function showCommand(playbook: Command): void {
  ofPlace(
    remoteCommand(playbook, 'show <type> [version]', 'Print the active playbook of an alert type, or an earlier version by revision or digest.'),
  ).action(async (type: string, version: string | undefined, options: PlaceOptions) => {
    const target = findTarget(options)
    const path =
      version === undefined
        ? placePath(type, placeQuery(options))
        : `/platformapi/playbook-versions/${await digestNamed(target, type, options, version)}`
    const answer = await request(target, 'GET', path)
    if (options.json) console.log(jsonText(answer))
    else process.stdout.write(raw(String(answer['text'])))
  })
}
