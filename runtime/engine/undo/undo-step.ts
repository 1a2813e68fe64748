import type { Connection, ConnectionId, Json, PinnedConnection, RecordedOutput } from '../../domain/index.ts'
import { type ErrorCode, isTocsinError, registry } from '../../errors/index.ts'
import { compileCondition, compileValue } from '../../expressions/index.ts'
import { type Plugin, type Skill, targetsOf } from '../../plugin/index.ts'
import { connectionFingerprint } from '../prepare/connection-fingerprint.ts'
import type { NotUndone, UndoneWrite, UndoStep } from './document.ts'
import type { RunWrite } from './run-writes.ts'

/** What decides how a write is undone. */
export interface UndoContext {
  /** The connections that the organization may use now. */
  readonly connections: ReadonlyMap<ConnectionId, Connection>
  /** The plugins that are loaded now, by integration. */
  readonly plugins: ReadonlyMap<string, Plugin>
  /** The plugin as the undone run had it. Null: it is gone. */
  pinned(integration: string): Promise<Plugin | null>
  read(output: RecordedOutput): Promise<Json>
  /** What earlier undos did, by address. */
  readonly before: ReadonlyMap<string, 'undone' | 'in_doubt'>
  /** Whether to undo uncertain writes, which may not have changed anything. */
  readonly uncertain: boolean
}

/** Thrown when a write cannot be undone. */
class NotUndoable extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, detail?: string) {
    super(detail === undefined ? registry[code].cause : `${registry[code].cause} (${detail})`)
    this.code = code
  }
}

function shownWrite({ address, sent }: RunWrite): UndoneWrite {
  return { address, skill: sent?.skill ?? null, target: sent?.target ?? null, connection: sent?.connection.instance ?? null }
}

/**
 * Returns how a write is undone, or why it is not.
 * @param id of the step that undoes it
 */
export async function undoStepFor(world: UndoContext, write: RunWrite, id: string): Promise<UndoStep | NotUndone> {
  try {
    return await stepOf(world, write, id)
  } catch (error) {
    if (!(error instanceof NotUndoable)) throw error
    return { write: shownWrite(write), code: error.code, message: error.message }
  }
}

async function stepOf(world: UndoContext, write: RunWrite, id: string): Promise<UndoStep> {
  const { address, end, code, sent, changed } = write
  const before = world.before.get(address)
  if (before === 'undone') throw new NotUndoable('undo_done')
  if (before === 'in_doubt') throw new NotUndoable('undo_in_doubt', 'an earlier undo of it is in doubt')
  if (end === 'not_happened') throw new NotUndoable('undo_not_happened', code ?? undefined)
  if (end === 'in_doubt') throw new NotUndoable('undo_in_doubt')
  if (end === 'partial') throw new NotUndoable('undo_partial', code ?? undefined)
  if (changed === 'no') throw new NotUndoable('undo_unchanged')
  if (sent === null) throw new NotUndoable('undo_not_kept')
  const [integration = '', name = ''] = sent.skill.split('.')
  const plugin = world.plugins.get(integration)
  const skill = plugin?.skills.get(name)
  if (!plugin || !skill) throw new NotUndoable('undo_skill_gone', sent.skill)
  const { inverse } = skill.document
  if (!inverse) throw new NotUndoable('undo_no_inverse')
  const other = plugin.skills.get(inverse.skill.split('.')[1] ?? '')
  if (!other || other.impact === 'read') throw new NotUndoable('undo_skill_gone', inverse.skill)
  const connection = await connectionOf(world, sent.connection, integration)
  const input = await inputOf(world, write, skill, other)
  if (changed === 'perhaps' && !world.uncertain) throw new NotUndoable('undo_uncertain')
  const targets = targetsOf(other, input)
  return {
    id,
    undoes: shownWrite(write),
    integration,
    skill: other.id,
    impact: other.impact,
    connection,
    targets,
    input,
  }
}

/** Returns the connection as it is now, if it still leads to the system that received the write. */
async function connectionOf(
  world: UndoContext,
  { id, revision, address, instance }: PinnedConnection,
  integration: string,
): Promise<PinnedConnection> {
  const standing = world.connections.get(id)
  if (standing?.integration !== integration) throw new NotUndoable('undo_connection_gone', instance)
  // The plugin of that run says which fields decide the origin.
  const plugin = await world.pinned(integration)
  const now = plugin && connectionFingerprint(standing, plugin)
  const same = address === undefined ? standing.revision === revision : now === address
  if (!same) throw new NotUndoable('undo_connection_moved', instance)
  return { id, revision: standing.revision, instance: standing.instance, ...(now && { address: now }) }
}

/** Computes the inverse's input from the input and the output of the write. */
async function inputOf(world: UndoContext, { sent, output }: RunWrite, { document }: Skill, other: Skill): Promise<Json> {
  const { inverse } = document
  const context = { input: sent ? await world.read(sent.input) : null, output: output ? await world.read(output) : {} }
  try {
    if (inverse?.when !== undefined && !compileCondition(inverse.when).test(context)) throw new NotUndoable('undo_unfit')
    const { input, faults } = other.checkInput(compileValue((inverse?.with ?? {}) as Json).render(context) ?? {})
    if (faults.length > 0) throw new NotUndoable('undo_unfit', faults.join('; '))
    return input
  } catch (error) {
    if (isTocsinError(error) && error.entry.status < 500) throw new NotUndoable('undo_unfit', error.message)
    throw error
  }
}
