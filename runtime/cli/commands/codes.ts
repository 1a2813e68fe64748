import type { Command } from 'commander'
import { type Answer, findTarget, request } from '../client.ts'
import { remoteCommand, type Shared, show, showList } from '../remote-command.ts'
import { policyCommand } from './policy.ts'

/** The commands for organizations and for providers are the same: both have a code and a name. */
function codeCommand(program: Command, name: 'organization' | 'provider'): Command {
  const path = `/platformapi/${name}s`
  const parent = program.command(name).description(`Create and list ${name}s.`)
  remoteCommand(parent, 'create <code> <name>', `Create ${name === 'organization' ? 'an' : 'a'} ${name}.`).action(
    async (code: string, label: string, options: Shared) => show(await request(findTarget(options), 'POST', path, { code, name: label }), options),
  )
  remoteCommand(parent, 'list', `List ${name}s.`).action((options: Shared) =>
    showList(options, path, { CODE: (item: Answer) => item['code'], NAME: (item: Answer) => item['name'] }, Number.POSITIVE_INFINITY),
  )
  return parent
}

export function organizationCommand(program: Command): void {
  policyCommand(codeCommand(program, 'organization'))
}

export function providerCommand(program: Command): void {
  codeCommand(program, 'provider')
}
