import type { CallPreview } from '../../../connection/index.ts'
import { asId, type ConnectionId, type Json } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf, Uuid } from '../../schemas.ts'
import { RunSchema } from './calls.ts'
import { unknownConnection } from './view.ts'

const RequestSchema = Type.Object({
  method: Type.String(),
  url: Type.String(),
  headers: Type.Array(Type.Object({ name: Type.String(), value: nullable(Type.String({ description: 'Null: it carries the credentials.' })) })),
  body: Type.Optional(Type.Unsafe<Json>({ description: 'Absent: none.' })),
  signing: nullable(Type.String({ description: 'What else the credentials change. Null: nothing.' })),
  unknown: Type.Array(Type.String(), {
    description: 'Parts that Tocsin asks the system for right before the call, such as `detected.version`.',
  }),
})

export const PreviewSchema = Type.Object(
  {
    skill: Type.String({ description: '<integration>.<skill>' }),
    impact: oneOf(['read', 'write', 'high']),
    connection: Uuid,
    instance: Type.String(),
    revision: Type.Integer({ description: 'Of the connection.' }),
    organization_code: nullable(Type.String({ description: 'Null: the connection is shared.' })),
    input: Type.Unsafe<Json>({ description: 'Complete, with the defaults of the schema.' }),
    faults: Type.Array(Type.Object({ field: Type.String({ description: 'Dotted path; empty: the whole input.' }), message: Type.String() }), {
      description: 'What is wrong with the input.',
    }),
    targets: Type.Array(Type.String(), { description: 'What the call acts on.' }),
    refused: Type.Unsafe<{ code: string; message: string; remedy: string | null } | null>({
      type: ['object', 'null'],
      required: ['code', 'message', 'remedy'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, remedy: { type: ['string', 'null'] } },
      description: 'Why it would not be sent now. Null: Tocsin would send it.',
    }),
    request: Type.Unsafe<Static<typeof RequestSchema> | null>({
      anyOf: [RequestSchema, { type: 'null' }],
      description: 'What would leave, without the credentials. Null: the input does not fit, or code decides (the skill has `code`).',
    }),
    quota: Type.Unsafe<{ calls: number; per_ms: number; used: number } | null>({
      type: ['object', 'null'],
      required: ['calls', 'per_ms', 'used'],
      properties: { calls: { type: 'integer' }, per_ms: { type: 'integer' }, used: { type: 'integer' } },
      description: 'The quota of the skill, and how many calls it has counted. Null: there is none.',
    }),
  },
  { $id: 'SkillPreview', description: 'The exact call that a skill would make. Nothing was sent.' },
)

/** The route that shows what a manual call would send. */
export function skillPreviewRoute(app: Api, context: ApiContext): void {
  const { manualCalls } = context.services
  app.addSchema(PreviewSchema)

  app.post(
    '/platformapi/connections/:id/skills/:skill/preview',
    operation(
      context,
      {
        id: 'previewSkill',
        tag: 'connections',
        summary: 'Show the call that a skill would make',
        description: 'Renders the request without the credentials. Sends nothing, and counts for no quota.',
        permission: 'connections:read',
        errors: ['connection_unknown', 'organization_forbidden', 'integration_unknown', 'skill_unknown'],
        passesOn: true,
      },
      {
        params: Type.Object({ id: Uuid, skill: Type.String({ description: '<skill> or <integration>.<skill>' }) }),
        querystring: Type.Object({}),
        body: Type.Object({ input: RunSchema.properties.input }),
        response: { 200: Type.Ref('SkillPreview#') },
      },
    ),
    async (request) => {
      const { id, skill } = request.params
      const call = { connection: asId<ConnectionId>(id), skill, input: request.body.input }
      const preview = await manualCalls.preview(callerOf(request).principal, call)
      return preview === null ? unknownConnection() : previewView(preview)
    },
  )
}

function previewView(preview: CallPreview): Static<typeof PreviewSchema> {
  const { skill, impact, connection, instance, revision, organizationCode, input, faults, targets, refused, request, quota } = preview
  return {
    skill,
    impact,
    connection,
    instance,
    revision,
    organization_code: organizationCode,
    input,
    faults: faults.map(({ path, message }) => ({ field: path.join('.'), message })),
    targets: [...targets],
    refused: refused && { code: refused.code, message: refused.message, remedy: refused.remedy },
    request: request && { ...request, headers: request.headers.map((header) => ({ ...header })), unknown: [...request.unknown] },
    quota: quota && { calls: quota.calls, per_ms: quota.per, used: quota.used },
  }
}
