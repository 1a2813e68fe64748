import type { Logger } from 'pino'
import type { Clock } from '../domain/index.ts'
import { BoundedWarnings } from '../telemetry/index.ts'
import type { Doubt } from './doubt-at.ts'
import type { Prepared } from './prepared.ts'
import type { Walk } from './walk.ts'

/** Lines of writes in doubt in one minute, of one process. Beyond them they are counted. */
const linesInMinute = 60
/** Characters of a message, and of a target: a bulk has hundreds of them. */
const [longestMessage, longestTarget] = [500, 200]

const logs = new WeakMap<Logger, BoundedWarnings>()

/** What the log hears of writes in doubt: one for the process, so that what is told is bounded over all runs. */
export function doubtLog(logger: Logger, clock: Clock): BoundedWarnings {
  const standing = logs.get(logger) ?? new BoundedWarnings(logger, clock, linesInMinute, 'more writes in doubt than are told one by one')
  logs.set(logger, standing)
  return standing
}

function whatOf({ run, organizationCode }: Walk, { address, step, skill, connection, target }: Prepared, { tries, last, failure }: Doubt): object {
  return {
    organization: organizationCode,
    run: run.id,
    case: run.caseId,
    step: tries.address === address ? address : tries.address,
    skill: `${step.integration}.${skill.id}`,
    target: target === null ? null : cut(target, longestTarget),
    connection: connection.instance,
    try: last.try,
    sent_at: last.at,
    code: failure.code,
    error: cut(failure.message, longestMessage),
  }
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** A write was sent, and nobody knows whether it happened. */
export function tellDoubt(walk: Walk, prepared: Prepared, doubt: Doubt): void {
  walk.doubts.warn(whatOf(walk, prepared, doubt), 'a write is in doubt')
}

/** The probe of a write in doubt could not tell whether it happened, so that people are asked. */
export function tellUnsaid(walk: Walk, prepared: Prepared, doubt: Doubt, why: string): void {
  walk.doubts.warn({ ...whatOf(walk, prepared, doubt), why }, 'whether a write happened could not be found out; people are asked')
}
