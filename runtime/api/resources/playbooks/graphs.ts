import { asId, type Digest } from '../../../domain/index.ts'
import type { DrawnPlaybook } from '../../../playbook/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { maxPlaybookLength } from '../../limits.ts'
import { operation } from '../../operation.ts'
import { checkErrors, organizationIdsOf } from '../shared/index.ts'
import { PlaybookGraphSchema, playbookGraphView } from './graph-view.ts'
import { Digests } from './versions.ts'
import { findingView } from './view.ts'

const DrawnSchema = Type.Object(
  {
    graph: Type.Unsafe<Static<typeof PlaybookGraphSchema> | null>({ anyOf: [{ $ref: 'PlaybookGraph#' }, { type: 'null' }] }),
    findings: Type.Array(Type.Ref('Finding#'), { description: 'What keeps the text from compiling. Lint finds more.' }),
  },
  { $id: 'DrawnPlaybook', description: 'The graph of a playbook. Null if the text does not compile; then the findings say why.' },
)

const organization = (description: string) => Type.Optional(Type.String({ maxLength: 256, description }))
const Body = Type.Object(
  {
    text: Type.String({ format: 'text', maxLength: maxPlaybookLength, description: 'The YAML of the playbook.' }),
    organization_code: organization('Use the sub-playbooks of this organization.'),
  },
  { additionalProperties: false },
)

/** Routes that draw playbooks as graphs. */
export function playbookGraphRoutes(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services
  for (const schema of [PlaybookGraphSchema, DrawnSchema]) app.addSchema(schema)

  app.post(
    '/platformapi/playbooks/graph',
    operation(
      context,
      {
        id: 'drawPlaybook',
        tag: 'playbooks',
        summary: 'Draw a playbook as a graph',
        description: 'Stores and runs nothing. For a text that is being edited. Sub-playbooks are the active ones.',
        permission: 'playbooks:read',
        errors: ['organization_unknown', ...checkErrors],
      },
      { body: Body, querystring: Type.Object({}), response: { 200: Type.Ref('DrawnPlaybook#') } },
    ),
    async (request) => {
      const { text, organization_code: code } = request.body
      const { scope } = callerOf(request)
      const [id] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization_code')
      return drawnView(await playbooks.draw(scope, text, id ?? null))
    },
  )

  app.get(
    '/platformapi/playbook-versions/:digest/graph',
    operation(
      context,
      {
        id: 'drawPlaybookVersion',
        tag: 'playbooks',
        summary: 'Draw a text that is or was active as a graph',
        description: 'Sub-playbooks are those that are active now. GET /platformapi/runs/{run_id}/graph uses those of the run.',
        permission: 'playbooks:read',
        errors: ['playbook_version_unknown', 'organization_unknown', ...checkErrors],
      },
      {
        params: Digests,
        querystring: Type.Object({ organization: organization('For a shared playbook: use the sub-playbooks of this organization.') }),
        response: { 200: Type.Ref('DrawnPlaybook#') },
      },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const version = await playbooks.history.version(scope, asId<Digest>(request.params.digest))
      const code = request.query.organization
      const [id] = code === undefined ? [] : await organizationIdsOf(store, scope, [code], 'organization')
      return drawnView(await playbooks.draw(scope, version.text, version.organization ?? id ?? null))
    },
  )
}

function drawnView({ graph, findings }: DrawnPlaybook): Static<typeof DrawnSchema> {
  return { graph: graph && playbookGraphView(graph), findings: findings.map(findingView) }
}
