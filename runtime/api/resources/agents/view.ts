import type { AgentView } from '../../../relay/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'

const owner = "Null: the operator's. Connections use only agents of their own organization, and shared connections those of the operator."

export const NewAgentSchema = Type.Object(
  {
    name: Type.String({
      format: 'line',
      minLength: 1,
      maxLength: 200,
      description: 'What connections name as `remote_agent`. Several agents of one owner may have one name, and share its calls.',
    }),
    organization_code: Type.Optional(nullable(Type.String({ maxLength: 256, description: `${owner} Absent: the same as null.` }))),
  },
  { additionalProperties: false },
)

export const CheckBody = Type.Object(
  {
    host: Type.String({
      pattern: '^(?:[A-Za-z0-9._-]+|\\[?[0-9A-Fa-f:.]+\\]?)$',
      maxLength: 253,
      description: 'A host name in ASCII, or an address.',
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  },
  { additionalProperties: false },
)

const states = ['enrolling', 'online', 'draining', 'offline', 'revoked'] as const

const fields = {
  id: Uuid,
  name: Type.String(),
  organization_code: nullable(Type.String({ description: owner })),
  state: oneOf(states, '`enrolling`: its token was not used yet. `draining`: it stops, and takes no more calls.'),
  token_expires_at: nullable(Type.Integer({ description: 'Epoch milliseconds. Null: the token was used, or the agent revoked.' })),
  enrolled_at: nullable(Time),
  created_at: Time,
  created_by: Uuid,
  revoked_at: nullable(Time),
  last_seen_at: nullable(Type.Integer({ description: 'When it connected last, or its last connection ended, in epoch milliseconds. Null: never.' })),
  version: nullable(Type.String({ description: 'The version of the agent when it connected last.' })),
  online_since: nullable(Time),
  address: nullable(Type.String({ description: 'The address from which it is connected.' })),
  streams: Type.Integer({ description: 'Connections to external systems that are open.' }),
  opened: Type.Integer({ description: 'Connections since it connected.' }),
  bytes_sent: Type.Integer({ description: 'To external systems, since it connected.' }),
  bytes_received: Type.Integer(),
  round_trip: nullable(Type.Number({ description: 'Milliseconds between Tocsin and the agent.' })),
  last_error: nullable(Type.String({ description: 'The last connection that it could not make since it connected.' })),
  last_error_at: nullable(Time),
  connections: Type.Array(Type.Object({ id: Uuid, instance: Type.String(), integration: Type.String() }), {
    description: 'The connections that name it.',
  }),
}

export const AgentSchema = Type.Object(fields, {
  $id: 'Agent',
  description: 'A remote agent. Figures of an agent that is connected to another process are up to five seconds old.',
})
export const AgentWithTokenSchema = Type.Object(
  { ...fields, token: Type.String({ description: 'The enrolment token. It works once, and is shown here and never again.' }) },
  { $id: 'AgentWithToken', description: 'A new remote agent with its enrolment token.' },
)
export const RouteCheckSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the agent could connect.' }),
    code: nullable(Type.String({ description: 'The code of the error reference.' })),
    message: nullable(Type.String()),
    took: Type.Integer({ description: 'Milliseconds.' }),
  },
  { $id: 'RouteCheck' },
)

export function agentView({ agent, organizationCode, tunnels, connections }: AgentView): Static<typeof AgentSchema> {
  const total = (count: (tunnel: AgentView['tunnels'][number]) => number): number => tunnels.reduce((sum, tunnel) => sum + count(tunnel), 0)
  const standing = tunnels.some(({ draining }) => !draining) ? tunnels.filter(({ draining }) => !draining) : tunnels
  const [oldest] = standing.toSorted((a, b) => a.since - b.since)
  const [quickest] = standing.flatMap(({ roundTrip }) => (roundTrip === null ? [] : [roundTrip])).toSorted((a, b) => a - b)
  const [last] = tunnels.flatMap(({ lastError }) => (lastError === null ? [] : [lastError])).toSorted((a, b) => b.at - a.at)
  return {
    id: agent.id,
    name: agent.name,
    organization_code: organizationCode,
    state: stateOf(agent, tunnels),
    token_expires_at: agent.enrolment?.expiresAt ?? null,
    enrolled_at: agent.enrolledAt,
    created_at: agent.createdAt,
    created_by: agent.createdBy,
    revoked_at: agent.revokedAt,
    last_seen_at: agent.lastSeen?.at ?? null,
    version: agent.lastSeen?.version ?? null,
    online_since: oldest?.since ?? null,
    address: oldest?.address ?? null,
    streams: total(({ streams }) => streams),
    opened: total(({ opened }) => opened),
    bytes_sent: total(({ sent }) => sent),
    bytes_received: total(({ received }) => received),
    round_trip: quickest ?? null,
    last_error: last?.message ?? null,
    last_error_at: last?.at ?? null,
    connections: connections.map(({ id, instance, integration }) => ({ id, instance, integration })),
  }
}

function stateOf(agent: AgentView['agent'], tunnels: AgentView['tunnels']): (typeof states)[number] {
  if (agent.revokedAt !== null) return 'revoked'
  if (tunnels.some(({ draining }) => !draining)) return 'online'
  if (tunnels.length > 0) return 'draining'
  return agent.publicKey === null ? 'enrolling' : 'offline'
}
