import type { ManualCall } from '../../../connection/index.ts'
import { type ActedOn, asId, type ConnectionId, cutText, type Json } from '../../../domain/index.ts'
import { isTocsinError, registry } from '../../../errors/index.ts'
import type { CallResult } from '../../../plugin/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { answeredSlowly, jsonBytes } from '../../answer/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf, Uuid } from '../../schemas.ts'
import { testView, unknownConnection } from './view.ts'

export const RunSchema = Type.Object(
  {
    input: Type.Unsafe<Record<string, Json>>({
      type: 'object',
      additionalProperties: true,
      default: {},
      description:
        "The input, as in the skill's input schema. A number that a double cannot hold (an integer beyond 2^53, 1e400) is passed on as a text.",
    }),
    revision: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The revision of the connection that you have seen. If it has another one, nothing is sent.' }),
    ),
  },
  { additionalProperties: false },
)

export const ResultSchema = Type.Object(
  {
    ok: Type.Boolean(),
    output: Type.Optional(
      Type.Unknown({
        description:
          "The output, as in the skill's output schema. For a failed call: the known part of it, for example the result of each item of a bulk call.",
      }),
    ),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: "Fields of the output that do not match the skill's schema. The output has them unchanged.",
      }),
    ),
    effect: Type.Optional(oneOf(['not_sent', 'refused', 'done', 'unknown'], 'For a failed call: its effect on the external system.')),
    code: Type.Optional(Type.String({ description: "A code of the error reference, or of the integration's manifest." })),
    message: Type.Optional(Type.String()),
    remedy: Type.Optional(nullable(Type.String())),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds that the external system asked to wait.' })),
    requests: Type.Optional(
      Type.Array(
        Type.Object({
          request: Type.String({ description: 'Method and path.' }),
          status: Type.Integer(),
          body: Type.Unknown({ description: 'The answer. Null: all answers together are too large.' }),
        }),
        { description: 'For a skill with a handler that failed midway: its answered requests that may have changed something.' },
      ),
    ),
    vendor: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string | number>>>({
        type: 'object',
        additionalProperties: true,
        description: 'The status, code and ids of the external system.',
      }),
    ),
  },
  { $id: 'SkillResult', description: 'The result of a manual call of a skill: its output, or why there is none.' },
)

/** Routes that test a connection, and run one skill with it. */
export function connectionCallRoutes(app: Api, context: ApiContext): void {
  const { manualCalls, clock, logger, turns } = context.services
  app.addSchema(ResultSchema)

  app.post(
    '/platformapi/connections/:id/test',
    operation(
      context,
      {
        id: 'testConnection',
        tag: 'connections',
        summary: "Test a connection's credentials against the external system",
        description: 'The answer has the result, and the connection keeps it. The revision does not change.',
        permission: 'connections:write',
        errors: ['connection_unknown', 'organization_forbidden', 'integration_unknown'],
      },
      { params: Type.Object({ id: Uuid }), querystring: Type.Object({}), response: { 200: Type.Ref('ConnectionTest#') } },
    ),
    async (request) => {
      const { principal } = callerOf(request)
      const result = await manualCalls.test(principal, asId<ConnectionId>(request.params.id), context.closing)
      if (result === null) return unknownConnection()
      tellAct(context, request, 'a connection was tested', { connection: request.params.id, ok: result.ok, code: result.code })
      return testView(result)
    },
  )

  app.post(
    '/platformapi/connections/:id/skills/:skill',
    operation(
      context,
      {
        id: 'runSkill',
        tag: 'connections',
        summary: 'Run a skill once, as a manual call',
        description:
          'A skill that writes needs the scope connections:write. The answer has status 200 even if the call fails; the body has the result. While the call runs, white space is sent every 20 seconds.',
        permission: 'connections:read',
        errors: ['connection_unknown', 'organization_forbidden', 'integration_unknown', 'skill_unknown', 'connection_changed'],
        passesOn: true,
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
      let on: ActedOn = { connection: id, skill }
      const { promise: writing, resolve: beginAnswer } = Promise.withResolvers<null>()
      const begins = (call: ManualCall): void => {
        on = { connection: id, ...calledOn(call) }
        // Log a write before it is sent, so that the log shows who did it even after a crash.
        if (call.impact === 'read') return
        tellAct(context, request, 'a skill that writes is run by hand', on)
        beginAnswer(null)
      }
      const { input, revision } = request.body
      const run = { connection: asId<ConnectionId>(id), skill, input, ...(revision !== undefined && { revision }), signal: context.closing, begins }
      const work = async (): Promise<Static<typeof ResultSchema>> => {
        const result = await manualCalls.run(principal, run)
        if (result === null) return unknownConnection()
        const outcome = result.ok ? { ok: true } : { ok: false, effect: result.effect, code: result.failure.code }
        tellAct(context, request, 'skill run by hand', { ...on, ...outcome })
        return resultView(result)
      }
      return answeredSlowly(
        reply,
        clock,
        work(),
        (error): Static<typeof ResultSchema> => {
          logger.error({ err: error, principal: principal.id, by: principal.name, ...on }, 'skill run by hand')
          const code = isTocsinError(error) ? error.code : 'internal'
          const { cause, remedy } = registry[code]
          return { ok: false, effect: 'unknown', code, message: isTocsinError(error) ? error.message : cause, remedy }
        },
        (view) => jsonBytes(view, turns, principal.id),
        writing,
      )
    },
  )
}

/** The most targets in a log line, and the most characters of each: a bulk call has hundreds. */
const mostTargets = 20
const longestTarget = 200

/** Describes a call for the log: its targets, and nothing else of its input. */
function calledOn({ skill, impact, instance, organizationCode, targets }: ManualCall): ActedOn {
  const shown = targets.slice(0, mostTargets).map((target) => cutText(target, longestTarget))
  const more = targets.length > mostTargets ? { more_targets: targets.length - mostTargets } : {}
  return { instance, organization: organizationCode, skill, impact, targets: shown, ...more }
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
