import type { FastifyRequest } from 'fastify'
import type { ManualCall } from '../../../connection/index.ts'
import type { Millis } from '../../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../../errors/index.ts'
import type { Given } from '../../../rehearsal/index.ts'
import type { DryRunOf } from '../../../rehearsals/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { ApiContext } from '../../context.ts'

/** The most calls that one dry run sends, and how long it may send new ones. */
const mostReads = 100
const patience: Millis = 60_000

/**
 * Returns the function that sends the reads of one dry run, as manual calls of the caller. Beyond the limits it
 * answers null. The dry run then generates the answer, and says so.
 */
export function readsOf(context: ApiContext, request: FastifyRequest): NonNullable<DryRunOf['read']> {
  const { manualCalls, clock } = context.services
  const { principal } = callerOf(request)
  const until = clock.now() + patience
  let sent = 0
  return async ({ connection, skill, input }): Promise<Given | null> => {
    if (sent >= mostReads || clock.now() > until || request.raw.socket.destroyed) return null
    sent += 1
    try {
      const begins = ({ impact }: ManualCall): void => {
        // The process that rehearses asks for reads only. But it works on foreign text, and a write must not depend on it.
        if (impact !== 'read') throw new TocsinError('internal', `A dry run asked for the write ${skill}.`)
        tellAct(context, request, 'a dry run reads', { connection, skill })
      }
      const result = await manualCalls.run(principal, { connection, skill, input, signal: context.closing, begins })
      if (result === null) return null
      if (result.ok) return { kind: 'output', output: result.output }
      return { kind: 'failed', code: result.failure.code, message: result.failure.message, effect: result.effect }
    } catch (error) {
      // For example a shared connection, and a key that is limited to some organizations.
      if (!isTocsinError(error) || error.code === 'internal') throw error
      return { kind: 'failed', code: error.code, message: error.message, effect: 'not_sent' }
    }
  }
}
