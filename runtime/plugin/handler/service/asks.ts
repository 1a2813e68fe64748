import type { Json } from '../../../domain/index.ts'
import { messageOf } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { compileCheck, faultsOf } from '../../../yaml/index.ts'
import { type PaginationDocument, pagination } from '../../grammar/pagination.ts'
import { closed, headers, method, words } from '../../grammar/shared.ts'
import { type Listening, toldBy } from '../told.ts'

/**
 * The asks: what a handler's code may ask of the host. The prelude makes them, but the handler's code
 * could forge others, so each is checked.
 */

const plain = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const parameter = Type.Union([plain, Type.Null(), Type.Array(Type.Union([plain, Type.Null()]))])

const request = closed({
  method,
  path: Type.String({ minLength: 1 }),
  query: Type.Optional(Type.Record(Type.String({ pattern: '^[^]+$' }), parameter, { additionalProperties: false })),
  headers: Type.Optional(headers),
  body: Type.Optional(Type.Unsafe<Json>({})),
  base: Type.Optional(words(['api', 'origin'])),
  expect: Type.Optional(Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1 })),
  auth: Type.Optional(words(['none'])),
})
export type AskedRequest = Static<typeof request>

const asks = {
  request,
  page: closed({
    request,
    paginate: Type.Unsafe<'manifest' | PaginationDocument>({ if: { type: 'string' }, then: { const: 'manifest' }, else: pagination }),
    page: Type.Union([Type.String(), Type.Null()]),
    read: Type.Integer({ minimum: 0 }),
    listing: Type.Integer({ minimum: 1 }),
  }),
  open: closed({ format: words(['csv', 'jsonl']), request }),
  rows: closed({ stream: Type.Integer() }),
  close: closed({ stream: Type.Integer() }),
  sleep: closed({ milliseconds: Type.Number({ minimum: 0, maximum: 86_400_000 }) }),
  partial: closed({ output: Type.Unsafe<Json>({}) }),
  log: closed({
    level: words(['debug', 'info', 'warn']),
    message: Type.String(),
    fields: Type.Record(Type.String(), Type.Unsafe<Json>({})),
  }),
}
type Op = keyof typeof asks
export type Ask = { [K in Op]: { readonly op: K; readonly body: Static<(typeof asks)[K]> } }[Op]

const checks = Object.fromEntries(Object.entries(asks).map(([op, schema]) => [op, compileCheck<unknown>(schema)]))

/** A malformed ask: a mistake in the handler, which gets the message. */
export class AskRefused extends Error {}

/** @throws AskRefused */
export async function readAsk(op: string, text: string, listening: Listening): Promise<Ask> {
  const check = Object.hasOwn(checks, op) ? checks[op] : undefined
  if (!check) throw new AskRefused(`The host has no operation ${op}.`)
  let body: Json
  try {
    body = await toldBy(text, listening)
  } catch (error) {
    throw new AskRefused(`${op}: the JSON of the ask ${messageOf(error)}.`)
  }
  const [fault] = faultsOf(check, body)
  if (fault) throw new AskRefused(`${op}: ${[...fault.path, fault.message].join(' ')}`)
  return { op, body } as unknown as Ask
}
