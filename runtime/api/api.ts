import { type FastifyRequest, fastify } from 'fastify'
import { TocsinError } from '../errors/index.ts'
import { loopTurns } from '../fairness/index.ts'
import { storeFailures } from '../telemetry/index.ts'
import { afterActs } from './act.ts'
import { ActWriter } from './act-writer.ts'
import { clientErrorHandler, errorHandler, lazySerializers, measured, onEveryAnswer, refuseOtherProtocols } from './answer/index.ts'
import { bodyRoom, oneByOne, silentConnections } from './arrival/index.ts'
import { Gatekeeper, guardFactory, KeyVerifier, WrongKeys } from './auth/index.ts'
import type { Api, ApiContext, TypeBoxProvider } from './context.ts'
import * as limits from './limits.ts'
import { describeApi, openapiRoute } from './openapi.ts'
import { acceptJsonBodies, rawQuery, ToldEnds, validatorCompiler } from './request/index.ts'
import { healthRoutes, isTunnel, metricsRoute, resources } from './resources/index.ts'
import { ProblemSchema } from './schemas.ts'
import type { ApiServices } from './services.ts'

/**
 * Builds the platform API over the services, ready to listen. On close, it sends held answers at once and lets other requests finish.
 * It does not close the services.
 */
export function buildApi(services: ApiServices): Promise<Api> {
  return build(services, [...resources, openapiRoute])
}

/** Builds the server of a process without the API: it only answers whether the process is alive and ready, and its metrics. */
export function buildHealthApi(services: ApiServices): Promise<Api> {
  return build(services, [healthRoutes, metricsRoute])
}

async function build(services: ApiServices, routes: readonly ((app: Api, context: ApiContext) => void)[]): Promise<Api> {
  const nextId = requestIds(services)
  const app = newServer(services, nextId)
  const keys = new KeyVerifier(services.store, services.clock)
  const closing = new AbortController()
  const gate = new Gatekeeper(keys, new WrongKeys(services.clock, services.logger), services.clock)
  const acts = new ActWriter(services.store.acts, services.clock, services.logger)
  const describe = describeApi(app, services.version)
  const context: ApiContext = { services, keys, gate, acts, guard: guardFactory(gate), closing: closing.signal, told: new ToldEnds(), describe }

  app.decorateRequest('caller', null)
  app.decorateRequest('recorded', null)
  app.setValidatorCompiler(validatorCompiler)
  acceptJsonBodies(app, services.turns)
  app.setErrorHandler(errorHandler(storeFailures(services.logger, services.clock)))
  // Turns of their own: a request does not wait for work that has begun.
  app.addHook('onRequest', oneByOne(loopTurns()))
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(onEveryAnswer)
    done(refusalOf(request))
  })
  const { preParsing, preValidation } = bodyRoom(services.bodyLimit)
  app.addHook('preParsing', preParsing)
  app.addHook('preValidation', preValidation)
  app.addHook('preValidation', (request, _reply, done) => {
    const shown = context.told.toShow(request)
    if (shown) void shown.then(() => done())
    else done()
  })
  app.addHook('onSend', afterActs)
  app.addHook('onResponse', measured(services.metrics))
  const closeSilent = silentConnections(app.server)
  app.addHook('preClose', (done) => {
    closing.abort()
    closeSilent()
    done()
  })
  app.addHook('onClose', () => acts.close())
  refuseOtherProtocols(app.server, nextId)

  app.addSchema(ProblemSchema)
  for (const register of routes) register(app, context)
  await app.ready()
  return app
}

function newServer(services: ApiServices, nextId: () => string): Api {
  const handleError = errorHandler(storeFailures(services.logger, services.clock))
  return fastify({
    // The handlers log what matters. A log line for each request would cost more than many requests do.
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    bodyLimit: services.bodyLimit,
    trustProxy: services.trustedProxies.length > 0 ? [...services.trustedProxies] : false,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    connectionTimeout: limits.idleTimeout,
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildSerializer: lazySerializers, buildValidator: () => noOtherValidator } },
    routerOptions: { maxParamLength: limits.maxParamLength, querystringParser: rawQuery },
    frameworkErrors: (error, request, reply) => void handleError(error, request, reply),
    clientErrorHandler: clientErrorHandler(services.clock, nextId),
    http: {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headersTimeout,
      connectionsCheckingInterval: limits.timeoutCheckEvery,
      // Checked in refusalOf: Node's own answer has no body.
      requireHostHeader: false,
      // Any other request with an Upgrade header, such as one for h2c, is answered as if it had none.
      shouldUpgradeCallback: isTunnel,
    },
  }).withTypeProvider<TypeBoxProvider>()
}

/** In the place of Fastify's own validator, which a start would load for nothing: the server has `validatorCompiler`. */
function noOtherValidator(): never {
  throw new Error('Schemas of requests are checked by validatorCompiler.')
}

/** Returns the error of a request that is refused before its body is read. */
function refusalOf(request: FastifyRequest): TocsinError | undefined {
  if (request.is404) return new TocsinError('route_unknown', 'No operation has this method and path.')
  if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
    return new TocsinError('request_malformed', 'The request has no Host header.')
  }
  return undefined
}

/** Makes request ids. A random prefix makes them unique across processes and restarts, and a counter makes them cheap. */
function requestIds(services: ApiServices): () => string {
  const start = services.ids.secret(6)
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}
