import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Alert, AlertStatus, type Millis, type Scope } from '../../../domain/index.ts'
import { storeFailures } from '../../../telemetry/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { ApiContext } from '../../context.ts'
import { preferredWait } from '../../request/index.ts'

/** How long the last look at an alert may take, after its wait. */
const lookWithin: Millis = 1_000

/**
 * Waits until the alert's investigation has ended, but not longer than `Prefer: wait=N` says. Without the header it returns at once.
 * Returns early if the client goes away or the server closes. Returns the alert in its current state, or as it was if the store does not say.
 * @param isNew whether this request has just stored the alert
 */
export function heldUntilEnd(context: ApiContext, request: FastifyRequest, reply: FastifyReply, alert: Alert, isNew = false): Alert | Promise<Alert> {
  const seconds = preferredWait(request.headers.prefer)
  if (seconds === null) return alert
  reply.header('preference-applied', `wait=${seconds}`)
  const over = alert.type === null || alert.status === AlertStatus.completed || alert.status === AlertStatus.failed
  return over || seconds === 0 ? alert : hold(context, request, reply, { alert, isNew }, seconds)
}

async function hold(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { alert, isNew }: { readonly alert: Alert; readonly isNew: boolean },
  seconds: number,
): Promise<Alert> {
  const { services, closing, told } = context
  const stop = new AbortController()
  const end = () => stop.abort()
  reply.raw.once('close', end)
  closing.addEventListener('abort', end)
  const cancel = services.clock.after(seconds * 1000, end)
  try {
    if (closing.aborted || reply.raw.destroyed) return alert
    const ended = await services.investigations.ended(alert, stop.signal, isNew)
    const shown = ended && services.investigations.shown(alert.uuid)
    if (shown) told.add(callerOf(request).principal.id, shown)
    if (ended) return ended
  } finally {
    cancel()
    reply.raw.off('close', end)
    closing.removeEventListener('abort', end)
  }
  return lastLook(services, callerOf(request).scope, alert)
}

/**
 * Reads the alert. If the store does not answer in time, returns what is known. The alert is stored: after an error, its source would send it
 * again, as another alert.
 */
function lastLook({ store, clock, logger }: ApiContext['services'], scope: Scope, alert: Alert): Promise<Alert> {
  const { promise: known, resolve } = Promise.withResolvers<Alert>()
  const cancel = clock.after(lookWithin, () => resolve(alert))
  const read = store.alerts.get(scope, [alert.uuid]).then(
    ([now]) => now ?? alert,
    (error: unknown) => {
      storeFailures(logger, clock).warn(error, {}, 'could not look at an alert after its Prefer: wait')
      return alert
    },
  )
  return Promise.race([read, known]).finally(cancel)
}
