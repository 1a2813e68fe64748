import type { Clock, Effect, Millis } from '../../domain/index.ts'
import type { Egress, RouteOf } from '../../egress/index.ts'
import type { Isolates } from '../../plugin/index.ts'
import type { Logger } from '../../telemetry/index.ts'
import type { Answers } from '../answer/call-answers.ts'
import type { CallLog } from '../log/call-log.ts'
import type { RateLimiter } from '../rate/rate-limit.ts'
import type { Detections } from '../send/detections.ts'
import type { AccessTokens } from '../tokens/index.ts'
import type { Vault } from '../vault/vault.ts'

/** What calls with a connection need from the process. */
export interface CallDeps {
  readonly vault: Vault
  readonly egress: Egress
  /** Finds the route of a connection: its remote agent's, or none. */
  readonly route: RouteOf
  readonly clock: Clock
  /** One for the process, so that runs and manual calls share a connection's rate limit. */
  readonly limiter: RateLimiter
  /** One for the process, so that all callers share a connection's token. */
  readonly tokens: AccessTokens
  /** One for the process. */
  readonly detections: Detections
  /** Where handlers run. */
  readonly isolates: Isolates
  /** One for the process, so that the large answers of one tenant do not block the others. */
  readonly answers: Answers
  readonly logger: Logger
  /** One for the process. */
  readonly calls: CallLog
  /** Absent: nothing is counted. */
  readonly meter?: CallMeter
}

/** Counts calls of skills. */
interface CallMeter {
  /** @param outcome `ok`, or what a failed call did */
  called(integration: string, outcome: 'ok' | Effect, lasted: Millis): void
}
