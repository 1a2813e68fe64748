import { type ConnectionId, type Ids, type Json, type OrganizationId, organizationScope } from '../../domain/index.ts'
import { type CallResult, type PluginLibrary, type Skill, timeoutOf } from '../../plugin/index.ts'
import type { Store } from '../../storage/index.ts'
import { callWithConnection, notSent } from './call-skill.ts'
import type { CallDeps } from './deps.ts'
import { pauseCheckOf } from './pause-check.ts'

/** A call of a read skill that no run makes, and no person. */
export interface ReadCall {
  readonly organization: OrganizationId
  readonly connection: ConnectionId
  /** Without the integration's name. */
  readonly skill: string
  readonly input: Json
  readonly signal: AbortSignal
}

/** Calls read skills for an organization, with its connections or with those of all organizations. */
export interface ReadCalls {
  /** Calls once. Failures are results too, also those from before anything was sent. */
  call(call: ReadCall): Promise<CallResult>
}

/** Refuses a skill that writes, whatever the manifest said when somebody chose it. */
export function createReadCalls(store: Store, plugins: PluginLibrary, deps: CallDeps, ids: Ids): ReadCalls {
  return {
    async call({ organization, connection: id, skill: name, input, signal }) {
      const [connection] = await store.connections.byId(organizationScope(organization), [id])
      if (!connection) return notSent('connection_unknown', 'The connection was removed.')
      const plugin = (await plugins.active()).get(connection.integration)
      if (!plugin) return notSent('integration_unknown', `No plugin "${connection.integration}" is loaded.`)
      const skill: Skill | undefined = plugin.skills.get(name)
      if (!skill) return notSent('skill_unknown', `${plugin.id} has no skill ${name}.`)
      if (skill.impact !== 'read')
        return notSent('skill_unknown', `${plugin.id}.${name} changes the external system, so nothing but a run may call it.`)
      const checked = skill.checkInput(input)
      if (checked.faults.length > 0) return notSent('skill_input_invalid', checked.faults.join('; '))
      const key = ids.uuid()
      return callWithConnection(deps, connection, {
        organization,
        plugin,
        skill,
        input: checked.input,
        key,
        lane: key,
        timeout: timeoutOf(plugin, skill),
        sendBy: null,
        pauseCheck: pauseCheckOf(store, { organization, playbooks: [], connections: [id] }),
        signal,
        acts: null,
        once: true,
      })
    },
  }
}
