import Type, { type Static } from 'typebox'
import { asId, type ConnectionId, type Json } from '../../domain/index.ts'
import { isTocsinError, registry } from '../../errors/index.ts'
import { writeJson } from '../../json/index.ts'
import type { CallResult } from '../../plugin/index.ts'
import { answeredSlowly } from '../answer/slow-answer.ts'
import { callerOf } from '../auth/guard.ts'
import type { Api, ApiContext } from '../context.ts'
import { operation } from '../operation.ts'
import { nullable, oneOf, Uuid } from '../schemas.ts'
import { testView, unknownConnection } from './connection-view.ts'

const RunSchema = Type.Object(
  {
    input: Type.Unsafe<Record<string, Json>>({
      type: 'object',
      additionalProperties: true,
      default: {},
      description: "By the skill's input schema.",
    }),
  },
  { additionalProperties: false },
)

const ResultSchema = Type.Object(
  {
    ok: Type.Boolean(),
    output: Type.Optional(
      Type.Unknown({
        description:
          "By the skill's output schema. Of a call that failed: as much of it as is known, for example what became of each item of a bulk.",
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: "What of the output is not as the skill's schema says, each naming its field. The output has it as it came.",
      }),
    ),
    effect: Type.Optional(oneOf(['not_sent', 'refused', 'done', 'unknown'], 'Of a call that failed, on the outside world.')),
    code: Type.Optional(Type.String({ description: "Of the error reference, or of the integration's manifest." })),
    message: Type.Optional(Type.String()),
    remedy: Type.Optional(nullable(Type.String())),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds that the external system asked to wait.' })),
    requests: Type.Optional(
      Type.Array(
        Type.Object({
          request: Type.String({ description: 'Method and path.' }),
          status: Type.Integer(),
          body: Type.Unknown({ description: 'What was answered; null where all of them together are too large.' }),
        }),
        { description: 'Of a skill that is code and failed on its way: its requests that may have changed something and were answered.' },
      ),
    ),
    vendor: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string | number>>>({
        type: 'object',
        additionalProperties: true,
        description: 'Its own status, code and ids.',
      }),
    ),
  },
  { $id: 'SkillResult', description: 'What became of a skill that was run by hand: its output, or why there is none.' },
)

/** Testing a connection, and running one skill with it. */
export function connectionCallRoutes(app: Api, context: ApiContext): void {
  const { byHand, clock, logger, turns } = context.services
  app.addSchema(ResultSchema)

  app.post(
    '/platformapi/connections/:id/test',
    operation(
      context,
      {
        id: 'testConnection',
        tag: 'connections',
        summary: "Test a connection's credentials against the external system",
        description: 'What the test finds is the answer, and is kept on the connection; its revision stays.',
        permission: 'connections:write',
        errors: ['connection_unknown', 'organization_forbidden', 'integration_unknown'],
      },
      { params: Type.Object({ id: Uuid }), querystring: Type.Object({}), response: { 200: Type.Ref('ConnectionTest#') } },
    ),
    async (request) => {
      const { principal } = callerOf(request)
      const result = await byHand.test(principal, asId<ConnectionId>(request.params.id), context.closing)
      return result === null ? unknownConnection() : testView(result)
    },
  )

  app.post(
    '/platformapi/connections/:id/skills/:skill',
    operation(
      context,
      {
        id: 'runSkill',
        tag: 'connections',
        summary: 'Run one skill by hand, once',
        description:
          'A skill that writes needs the scope connections:write. What becomes of the call is the answer, with status 200. An answer that takes long begins with white space, some every 20 seconds.',
        permission: 'connections:read',
        errors: ['connection_unknown', 'organization_forbidden', 'integration_unknown', 'skill_unknown'],
      },
      {
        params: Type.Object({ id: Uuid, skill: Type.String({ description: '<skill> or <integration>.<skill>' }) }),
        querystring: Type.Object({}),
        body: RunSchema,
        response: { 200: Type.Ref('SkillResult#') },
      },
    ),
    (request, reply) => {
      const { principal } = callerOf(request)
      const { id, skill } = request.params
      const run = { connection: asId<ConnectionId>(id), skill, input: request.body.input, signal: context.closing }
      const work = async (): Promise<Static<typeof ResultSchema>> => {
        const result = await byHand.run(principal, run)
        if (result === null) return unknownConnection()
        const outcome = result.ok ? { ok: true } : { ok: false, effect: result.effect, code: result.failure.code }
        logger.info({ principal: principal.id, connection: id, skill, ...outcome }, 'skill run by hand')
        return resultView(result)
      }
      return answeredSlowly(
        reply,
        clock,
        work(),
        (error): Static<typeof ResultSchema> => {
          logger.error({ err: error, principal: principal.id, connection: id, skill }, 'skill run by hand')
          const code = isTocsinError(error) ? error.code : 'internal'
          const { cause, remedy } = registry[code]
          return { ok: false, effect: 'unknown', code, message: isTocsinError(error) ? error.message : cause, remedy }
        },
        (view) => writeJson(view as unknown as Json, { turns, key: principal.id }),
      )
    },
  )
}

function resultView(result: CallResult): Static<typeof ResultSchema> {
  const warnings = result.warnings && { warnings: [...result.warnings] }
  if (result.ok) return { ok: true, output: result.output, ...warnings }
  const { output, requests } = result
  const { code, message, remedy, retryAfter, vendor } = result.failure
  return {
    ok: false,
    effect: result.effect,
    code,
    message,
    remedy,
    ...(output !== undefined && { output }),
    ...warnings,
    ...(requests && { requests: requests.map((request) => ({ ...request })) }),
    ...(retryAfter !== null && { retry_after: retryAfter }),
    ...(vendor && { vendor }),
  }
}
