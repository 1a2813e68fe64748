import { type AgentId, type RemoteAgent, reaches, type Scope } from '../../../domain/index.ts'
import type { AgentStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { type Row, type Sql, type Synchronous, scopeFilter, scopeParameter } from '../database/index.ts'

function toAgent(row: Row): RemoteAgent {
  return JSON.parse(String(row['document']))
}

/** The `AgentStore` of the port in SQLite. */
export function agentTable(sql: Sql): Synchronous<AgentStore> {
  const one = (scope: Scope, id: AgentId): RemoteAgent | null => {
    const row = sql.get('SELECT document FROM agents WHERE id = ?', id)
    const agent = row ? toAgent(row) : null
    return agent && reaches(scope, agent.organization) ? agent : null
  }
  const put = (agent: RemoteAgent): RemoteAgent => {
    sql.run(
      'UPDATE agents SET token = ?, public_key = ?, revoked = ?, document = ? WHERE id = ?',
      agent.enrolment?.hash ?? null,
      agent.publicKey,
      Number(agent.revokedAt !== null),
      JSON.stringify(agent),
      agent.id,
    )
    return agent
  }
  const byKey: Synchronous<AgentStore>['byKey'] = (scope, publicKey) => {
    const row = sql.get('SELECT document FROM agents WHERE public_key = ?', publicKey)
    const agent = row ? toAgent(row) : null
    return agent && reaches(scope, agent.organization) ? agent : null
  }

  const byToken: Synchronous<AgentStore>['byToken'] = (scope, hash, at) => {
    const row = sql.get('SELECT document FROM agents WHERE token = ? AND revoked = 0', hash)
    const agent = row ? toAgent(row) : null
    return agent?.enrolment && reaches(scope, agent.organization) && agent.enrolment.expiresAt > at ? agent : null
  }

  return {
    create(scope, agent) {
      mustReach(reaches(scope, agent.organization), 'remote agent')
      sql.run(
        'INSERT INTO agents (id, organization, token, public_key, revoked, document) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        agent.id,
        agent.organization,
        agent.enrolment?.hash ?? null,
        agent.publicKey,
        Number(agent.revokedAt !== null),
        JSON.stringify(agent),
      )
    },
    byId(scope, ids) {
      const rows = sql.all('SELECT document FROM agents WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
      return rows.map(toAgent).filter(({ organization }) => reaches(scope, organization))
    },
    list(scope, { after, limit }) {
      const { rows, more } = sql.page(
        limit,
        `SELECT document FROM agents WHERE ${scopeFilter('organization')} AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3`,
        scopeParameter(scope),
        after,
        limit + 1,
      )
      return { items: rows.map(toAgent), more }
    },
    count(scope, organization) {
      if (!reaches(scope, organization)) return 0
      const row = sql.get("SELECT count(*) AS agents FROM agents WHERE ifnull(organization, '') = ? AND revoked = 0", organization ?? '')
      return Number(row?.['agents'] ?? 0)
    },
    enrol(scope, hash, publicKey, at) {
      const agent = byToken(scope, hash, at)
      if (agent === null) return null
      if (sql.get('SELECT 1 FROM agents WHERE public_key = ?', publicKey)) return null
      return put({ ...agent, enrolment: null, publicKey, enrolledAt: at })
    },
    byToken,
    byKey,
    revoke(scope, id, at) {
      const agent = one(scope, id)
      if (!agent) return null
      return agent.revokedAt === null ? put({ ...agent, enrolment: null, revokedAt: at }) : agent
    },
    noteSeen(scope, id, lastSeen) {
      const agent = one(scope, id)
      if (agent) put({ ...agent, lastSeen })
    },
  }
}
