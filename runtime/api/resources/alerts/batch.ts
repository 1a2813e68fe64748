import type { FastifyRequest } from 'fastify'
import { isTocsinError, TocsinError } from '../../../errors/index.ts'
import type { BatchItem } from '../../../ingest/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { problemOf, sendJson } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { batchBodyFactor, maxBatch } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { bodyValidator, compileBody, isIdempotencyKey, refuseIdempotencyKey, traceparentOf, validatorCompiler } from '../../request/index.ts'
import { submissionOf } from './routes.ts'
import { BatchItemSchema } from './submission.ts'
import { alertView } from './view.ts'

/** The schema documents the items of `alerts`. Each item is checked on its own, so that a wrong item does not affect the others. */
const BatchSchema = Type.Object(
  { alerts: Type.Array(Type.Unsafe<unknown>(BatchItemSchema), { minItems: 1, maxItems: maxBatch }) },
  { additionalProperties: false },
)
const OuterSchema = Type.Object({ alerts: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxBatch }) }, { additionalProperties: false })

const ResultSchema = Type.Object({
  status: Type.Integer({ description: '200, or the status of the error.' }),
  alert: Type.Optional(Type.Ref('Alert#')),
  error: Type.Optional(Type.Ref('Problem#')),
})

const checkItem = compileBody(BatchItemSchema)

/** Adds `POST /platformapi/alerts/batch`, which creates many alerts at once. */
export function alertBatchRoute(app: Api, context: ApiContext): void {
  const { services } = context
  app.post(
    '/platformapi/alerts/batch',
    {
      ...operation(
        context,
        {
          id: 'createAlerts',
          tag: 'alerts',
          summary: `Create up to ${maxBatch} alerts`,
          description:
            'Answers a result for each alert, in order. A refused alert does not affect the others. An alert with status 200 is durable. ' +
            'Each alert may have its own idempotency_key.',
          permission: 'alerts:write',
          errors: ['idempotency_key_invalid', 'overloaded'],
          headers: ['traceparent'],
        },
        { body: BatchSchema, querystring: Type.Object({}), response: { 200: Type.Object({ results: Type.Array(ResultSchema) }) } },
      ),
      bodyLimit: services.bodyLimit * batchBodyFactor,
      validatorCompiler: (part) => (part.httpPart === 'body' ? bodyValidator(OuterSchema) : validatorCompiler(part)),
    },
    async (request, reply) => {
      refuseIdempotencyKey(request)
      const results = await acceptAll(context, request, request.body.alerts)
      return sendJson(reply, { results }, services.turns, callerOf(request).principal.id)
    },
  )
}

async function acceptAll(context: ApiContext, request: FastifyRequest, alerts: readonly unknown[]) {
  const { ingest, bodyLimit, turns } = context.services
  const { principal } = callerOf(request)
  const read: (BatchItem | TocsinError)[] = []
  for (const alert of alerts) {
    read.push(readItem(alert, bodyLimit))
    const turn = turns.next(principal.id)
    if (turn) await turn
  }
  const accepted = await ingest.acceptBatch(principal, read.filter(isItem), traceparentOf(request))
  let next = 0
  return read.map((item) => {
    const result = isTocsinError(item) ? item : accepted[next++]
    if (result === undefined) throw new Error('ingest gave fewer results than there were alerts')
    return isTocsinError(result)
      ? { status: result.entry.status, error: problemOf(result, request.id) }
      : { status: 200, alert: alertView(result.alert) }
  })
}

function isItem(item: BatchItem | TocsinError): item is BatchItem {
  return !isTocsinError(item)
}

function readItem(value: unknown, bodyLimit: number): BatchItem | TocsinError {
  const fault = checkItem(value)
  if (fault !== null) return fault
  const item = value as Static<typeof BatchItemSchema>
  const key = item.idempotency_key ?? null
  if (key !== null && !isIdempotencyKey(key)) {
    const needs = 'needs 1 to 255 printable ASCII characters'
    return new TocsinError('idempotency_key_invalid', `idempotency_key ${needs}.`, [{ field: 'idempotency_key', message: needs }])
  }
  if (item.alert_content.length * 3 > bodyLimit && Buffer.byteLength(item.alert_content) > bodyLimit) {
    return new TocsinError('body_too_large', `The alert's content is larger than ${bodyLimit} bytes.`)
  }
  return { alert: submissionOf(item), idempotencyKey: key }
}
