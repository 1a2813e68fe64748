import { asId, type Digest } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'
import { checkErrors, organizationCodesOf } from '../shared/index.ts'
import { kinds } from './view.ts'

const VersionSchema = Type.Object(
  {
    digest: Type.String(),
    kind: oneOf(kinds),
    name: Type.String(),
    organization_code: nullable(Type.String({ description: 'Null: of all organizations.' })),
    created_at: Time,
    text: Type.String({ description: 'The YAML.' }),
  },
  { $id: 'PlaybookVersion', description: 'A text that is or was active. It never changes.' },
)

const DiffSchema = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    diff: Type.String({ description: 'A unified diff. Empty if nothing differs.' }),
    shortest: Type.Boolean({
      description: 'False: the texts differ in more than 2,000 lines, and everything from the first changed line to the last is shown as replaced.',
    }),
  },
  { $id: 'PlaybookDiff', description: 'The difference between two texts.' },
)

const digestPattern = '^sha256:[0-9a-f]{64}$'
const DigestParameter = Type.String({ pattern: digestPattern, description: 'sha256: and 64 hexadecimal digits.' })
export const Digests = Type.Object({ digest: DigestParameter })

/** Adds `/platformapi/playbook-versions/{digest}`: read a text that is or was active, and compare two. */
export function playbookVersionRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  for (const schema of [VersionSchema, DiffSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/playbook-versions/:digest',
    operation(
      context,
      {
        id: 'getPlaybookVersion',
        tag: 'playbooks',
        summary: 'Read a text that is or was active',
        permission: 'playbooks:read',
        errors: ['playbook_version_unknown'],
      },
      { params: Digests, querystring: Type.Object({}), response: { 200: Type.Ref('PlaybookVersion#') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const { digest, kind, name, organization, createdAt, text } = await playbooks.history.version(scope, asId<Digest>(request.params.digest))
      const codes = await organizationCodesOf(store, scope, organization === null ? [] : [organization])
      return {
        digest,
        kind: kind === 'sub_playbook' ? kind : ('playbook' as const),
        name,
        organization_code: organization === null ? null : (codes.get(organization) ?? organization),
        created_at: createdAt,
        text,
      }
    },
  )

  app.get(
    '/platformapi/playbook-versions/:digest/diff',
    operation(
      context,
      {
        id: 'diffPlaybookVersions',
        tag: 'playbooks',
        summary: 'Compare two texts',
        permission: 'playbooks:read',
        errors: ['playbook_version_unknown', ...checkErrors],
      },
      { params: Digests, querystring: Type.Object({ to: DigestParameter }), response: { 200: Type.Ref('PlaybookDiff#') } },
    ),
    async (request) => {
      const from = asId<Digest>(request.params.digest)
      const to = asId<Digest>(request.query.to)
      return { from, to, ...(await playbooks.history.diff(callerOf(request).scope, from, to)) }
    },
  )
}
