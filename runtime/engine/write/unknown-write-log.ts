import type { Logger } from 'pino'
import { type Clock, cutText } from '../../domain/index.ts'
import { BoundedWarnings } from '../../telemetry/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import type { WriteContext } from '../run/contexts.ts'
import type { UnknownWrite } from './unknown-write.ts'

/** The most lines about writes in doubt in one minute, for one process. Further ones are only counted. */
const linesInMinute = 60
/** The most characters of a message, and of a target. A bulk call has hundreds of targets. */
const [longestMessage, longestTarget] = [500, 200]

const logs = new WeakMap<Logger, BoundedWarnings>()

/** Returns the log for writes in doubt. There is one for the process, so the limit applies to all runs together. */
export function unknownWriteLog(logger: Logger, clock: Clock): BoundedWarnings {
  const standing = logs.get(logger) ?? new BoundedWarnings(logger, clock, linesInMinute, 'more writes are in doubt; they are not logged one by one')
  logs.set(logger, standing)
  return standing
}

function logFields(
  { run, organizationCode }: WriteContext,
  { address, step, skill, connection, target }: PreparedCall,
  { tries, last, failure }: UnknownWrite,
): object {
  return {
    organization: organizationCode,
    run: run.id,
    case: run.caseId,
    step: tries.address === address ? address : tries.address,
    skill: `${step.integration}.${skill.id}`,
    target: target === null ? null : cutText(target, longestTarget),
    connection: connection.instance,
    try: last.try,
    sent_at: last.at,
    code: failure.code,
    error: cutText(failure.message, longestMessage),
  }
}

/** Logs that a write was sent and nobody knows whether it happened. */
export function logUnknownWrite(execution: WriteContext, prepared: PreparedCall, doubt: UnknownWrite): void {
  execution.unknownWriteLog.warn(logFields(execution, prepared, doubt), 'a write is in doubt')
}

/** Logs that a probe could not tell whether a write happened, so people are asked. */
export function logFailedProbe(execution: WriteContext, prepared: PreparedCall, doubt: UnknownWrite, why: string): void {
  execution.unknownWriteLog.warn({ ...logFields(execution, prepared, doubt), why }, 'a probe could not tell whether a write happened; asking people')
}
