import { isTocsinError, TocsinError } from '../../../../errors/index.ts'
import type { Plan } from '../../../../playbook/index.ts'
import { compileWithServed, type FindServed, fillGaps, type ReadPlaybook, type ServedPlaybook, type World } from '../../../../rehearsal/index.ts'
import type { Target } from '../../../client.ts'
import { ServerPlaybooks } from './server-playbooks.ts'

/** An edited playbook, compiled as runs of an organization would have it. */
export interface Edit {
  readonly plan: Plan
  /** The sub-playbooks that came from the server. */
  readonly served: readonly ServedPlaybook[]
}

/** Returns the edit for an organization, by its code. Null: for shared playbooks only. */
export type EditOf = (organization: string | null) => Promise<Edit>

/**
 * Compiles an edited playbook for organizations. Asks the server only for sub-playbooks without a file. If all have files, mistakes are
 * reported before any request to the server.
 * @throws TocsinError `playbook_invalid`, `config_invalid` for a sub-playbook, `server_unreachable`; Refused
 */
export async function prepareEdits(world: World, read: ReadPlaybook, target: Target): Promise<EditOf> {
  const { unknown: names } = await fillGaps(read, async () => null)
  if (names.length === 0) {
    const edit: Edit = { plan: compile(world, read, []), served: [] }
    return async () => edit
  }
  const server = await ServerPlaybooks.list(target, { file: read.file, names })
  return (organization) => editWith(world, read, server.of(organization), { target, organization })
}

interface Asked {
  readonly target: Target
  readonly organization: string | null
}

async function editWith(world: World, read: ReadPlaybook, find: FindServed, { target, organization }: Asked): Promise<Edit> {
  const { served, unknown } = await fillGaps(read, find)
  try {
    return { plan: compile(world, read, served), served }
  } catch (error) {
    if (unknown.length === 0 || !isTocsinError(error) || error.code !== 'playbook_invalid') throw error
    const whose = organization === null ? 'shared' : `of ${organization} or shared`
    throw new TocsinError(error.code, error.message, error.places, {
      cause: error,
      remedy: `${unknown.join(', ')}: no file and no active sub-playbook on ${target.url} (${whose}) has this name. Correct the name, put the file beside ${read.file} or into a folder of --playbooks, or activate it with \`tocsin playbook activate\`.`,
    })
  }
}

function compile(world: World, read: ReadPlaybook, served: readonly ServedPlaybook[]): Plan {
  const plan = compileWithServed(world, read, served)
  if (plan.types.length > 0) return plan
  throw new TocsinError('config_invalid', `${read.file} is a sub-playbook. Replay a playbook that runs it, and put this file beside that playbook.`)
}
