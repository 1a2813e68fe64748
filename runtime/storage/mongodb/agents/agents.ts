import type { Filter } from 'mongodb'
import { type Millis, type RemoteAgent, reaches, type Scope } from '../../../domain/index.ts'
import type { AgentStore } from '../../port/index.ts'
import { mustReach } from '../../scope-guard.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { pageOf } from '../database/index.ts'
import type { AgentDocument } from './agent-documents.ts'

function toAgent({ _id, ...agent }: AgentDocument): RemoteAgent {
  return { id: _id, ...agent }
}

function seen(scope: Scope): Filter<AgentDocument> {
  return scope.organizations === 'all' ? {} : { organization: { $in: [...scope.organizations] } }
}

/** The agent that a token would enrol. */
function usable(scope: Scope, hash: string, at: Millis): Filter<AgentDocument> {
  return { $and: [{ 'enrolment.hash': hash, 'enrolment.expiresAt': { $gt: at }, revokedAt: null }, seen(scope)] }
}

/** The `AgentStore` of the port on MongoDB. */
export function agentStore({ agents }: Collections): AgentStore {
  return {
    async create(scope, { id, ...agent }) {
      mustReach(reaches(scope, agent.organization), 'remote agent')
      try {
        await agents.insertOne({ _id: id, ...agent })
      } catch (error) {
        // A repeated insert found its own document.
        if (!isDuplicate(error)) throw error
      }
    },
    async byId(scope, ids) {
      return (await agents.find({ $and: [{ _id: { $in: [...ids] } }, seen(scope)] }).toArray()).map(toAgent)
    },
    async list(scope, { after, limit }) {
      const found = await agents
        .find({ $and: [seen(scope), after === null ? {} : { _id: { $lt: after } }] })
        .sort({ _id: -1 })
        .limit(limit + 1)
        .toArray()
      return pageOf(found.map(toAgent), limit)
    },
    async count(scope, organization) {
      return reaches(scope, organization) ? agents.countDocuments({ organization, revokedAt: null }) : 0
    },
    async enrol(scope, hash, publicKey, at) {
      try {
        const enrolled = await agents.findOneAndUpdate(
          usable(scope, hash, at),
          { $set: { enrolment: null, publicKey, enrolledAt: at } },
          { returnDocument: 'after' },
        )
        return enrolled && toAgent(enrolled)
      } catch (error) {
        // Another agent has this key.
        if (isDuplicate(error)) return null
        throw error
      }
    },
    async byToken(scope, hash, at) {
      const found = await agents.findOne(usable(scope, hash, at))
      return found && toAgent(found)
    },
    async byKey(scope, publicKey) {
      const found = await agents.findOne({ $and: [{ publicKey }, seen(scope)] })
      return found && toAgent(found)
    },
    async revoke(scope, id, at) {
      await agents.updateOne({ $and: [{ _id: id, revokedAt: null }, seen(scope)] }, { $set: { revokedAt: at, enrolment: null } })
      const found = await agents.findOne({ $and: [{ _id: id }, seen(scope)] })
      return found && toAgent(found)
    },
    async noteSeen(scope, id, lastSeen) {
      await agents.updateOne({ $and: [{ _id: id }, seen(scope)] }, { $set: { lastSeen } })
    },
  }
}
