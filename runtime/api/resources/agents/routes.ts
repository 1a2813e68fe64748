import { type AgentId, asId } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { pageOf, Uuid } from '../../schemas.ts'
import { AgentSchema, AgentWithTokenSchema, agentView, CheckBody, NewAgentSchema, RouteCheckSchema } from './view.ts'

const path = '/platformapi/agents'
const params = Type.Object({ id: Uuid })
const querystring = Type.Object({})

/** Adds `/platformapi/agents`: list, create, read and revoke remote agents, and check what one reaches. */
export function agentRoutes(app: Api, context: ApiContext): void {
  const { agents } = context.services.relay
  const cursors = cursorsOf('agents', null)
  for (const schema of [AgentSchema, AgentWithTokenSchema, RouteCheckSchema]) app.addSchema(schema)

  app.get(
    path,
    operation(
      context,
      {
        id: 'listAgents',
        tag: 'agents',
        summary: 'List remote agents, newest first, including revoked ones',
        description: 'A key of all organizations also sees the agents of the operator.',
        permission: 'agents:read',
        errors: ['cursor_invalid'],
      },
      { querystring: Type.Object(pageParameters), response: { 200: pageOf('Agent') } },
    ),
    async (request) => {
      const { cursor, limit } = request.query
      const after = cursor === undefined ? null : asId<AgentId>(String(cursors.decode(cursor)[0]))
      const page = await agents.list(callerOf(request).scope, { after, limit })
      return { items: page.items.map(agentView), next_cursor: nextCursor(page, cursors, ({ agent }) => [agent.id]) }
    },
  )

  app.post(
    path,
    operation(
      context,
      {
        id: 'createAgent',
        tag: 'agents',
        summary: 'Create a remote agent',
        description: 'The answer has its enrolment token, once. The agent must enrol within a day.',
        permission: 'agents:write',
        errors: ['agents_exceeded', 'organization_unknown', 'organization_forbidden'],
      },
      { body: NewAgentSchema, querystring, response: { 201: Type.Ref('AgentWithToken#') } },
    ),
    async (request, reply) => {
      const { name, organization_code: code = null } = request.body
      const { view, token } = await agents.create(callerOf(request).principal, { name, organizationCode: code })
      tellAct(context, request, 'a remote agent was created', { agent: view.agent.id, name, organization: code })
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ ...agentView(view), token })
    },
  )

  app.get(
    `${path}/:id`,
    operation(
      context,
      { id: 'getAgent', tag: 'agents', summary: 'Read a remote agent', permission: 'agents:read', errors: ['agent_unknown'] },
      { params, querystring, response: { 200: Type.Ref('Agent#') } },
    ),
    async (request) => agentView(await agents.get(callerOf(request).scope, asId<AgentId>(request.params.id))),
  )

  app.delete(
    `${path}/:id`,
    operation(
      context,
      {
        id: 'revokeAgent',
        tag: 'agents',
        summary: 'Revoke a remote agent',
        description:
          'Cuts it off at once, with every call that it carries; in other processes within two seconds. It cannot come back. Revoking it again changes nothing.',
        permission: 'agents:write',
        errors: ['agent_unknown'],
      },
      { params, querystring, response: { 200: Type.Ref('Agent#') } },
    ),
    async (request) => {
      const view = await agents.revoke(callerOf(request).scope, asId<AgentId>(request.params.id))
      tellAct(context, request, 'a remote agent was revoked', { agent: view.agent.id, name: view.agent.name, organization: view.organizationCode })
      return agentView(view)
    },
  )

  app.post(
    `${path}/:id/check`,
    operation(
      context,
      {
        id: 'checkAgentRoute',
        tag: 'agents',
        summary: 'Have a remote agent connect to a host and port',
        description: 'Sends nothing to the host. The allow-list of the agent decides, as for any call.',
        permission: 'agents:write',
        errors: ['agent_unknown'],
      },
      { params, body: CheckBody, querystring, response: { 200: Type.Ref('RouteCheck#') } },
    ),
    async (request) => {
      const { port } = request.body
      // Brackets are how an address with colons is written beside a port. An agent gets the address itself, as for any call.
      const host = request.body.host.replace(/^\[|\]$/g, '')
      const result = await agents.check(callerOf(request).scope, asId<AgentId>(request.params.id), host, port)
      tellAct(context, request, 'a route of a remote agent was checked', { agent: request.params.id, host, port, ok: result.ok })
      return { ...result }
    },
  )
}
