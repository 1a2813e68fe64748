import type { onResponseHookHandler } from 'fastify'
import type { RequestMetrics } from '../services.ts'

/** Counts each answered request. A live stream is left out: it lasts as long as somebody watches. */
export function measured(metrics: Pick<RequestMetrics, 'answered'>): onResponseHookHandler {
  return ({ method, routeOptions }, { statusCode: status, elapsedTime: lasted }, done) => {
    if (routeOptions.config.operation?.answers?.includes('text/event-stream') !== true)
      metrics.answered({ method, route: routeOptions.url ?? null, status, lasted })
    done()
  }
}
