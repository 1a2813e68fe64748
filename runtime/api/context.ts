import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider } from 'fastify'
import type { Static, TSchema } from '../schema/index.ts'
import type { ActWriter } from './act-writer.ts'
import type { Gatekeeper, GuardFactory, KeyVerifier } from './auth/index.ts'
import type { ToldEnds } from './request/index.ts'
import type { ApiServices } from './services.ts'

/** Tells Fastify which types the schemas of a route give its handler. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

export type Api = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxProvider>

/** What the resources share. */
export interface ApiContext {
  readonly services: ApiServices
  readonly guard: GuardFactory
  readonly keys: KeyVerifier
  readonly gate: Gatekeeper
  /** Writes the audit log. `tellAct` uses it. */
  readonly acts: ActWriter
  /** Aborts when the server begins to close. Held answers are then sent at once. */
  readonly closing: AbortSignal
  readonly told: ToldEnds
  /** Returns the OpenAPI document. */
  readonly describe: () => Promise<Buffer>
}
