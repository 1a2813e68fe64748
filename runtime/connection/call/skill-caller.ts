import type { CurrentConnections, SkillCaller } from '../../engine/index.ts'
import type { Store } from '../../storage/index.ts'
import { callWithConnection, notSent } from './call-skill.ts'
import type { CallDeps } from './deps.ts'
import { pauseCheckOf } from './pause-check.ts'

/**
 * Calls skills for runs, with their pinned connections. Sends nothing if the connection has another
 * revision than the one that the run began with.
 */
export function createSkillCaller(store: Store, connections: Pick<CurrentConnections, 'pinned'>, deps: CallDeps): SkillCaller {
  return {
    async call({ organization, playbooks, connection: pinned, plugin, skill, input, key, run, timeout, sendBy, signal, acts }) {
      const connection = await connections.pinned(organization, pinned)
      if (!connection) return notSent('connection_missing', `The connection ${pinned.instance} was removed.`)
      if (connection.revision !== pinned.revision)
        return notSent(
          'connection_changed',
          `The connection ${pinned.instance} was changed while the run used it. A retry uses the changed connection.`,
        )
      const pauseCheck = pauseCheckOf(store, { organization, playbooks, connections: [pinned.id] })
      const lane = run ?? key
      return callWithConnection(deps, connection, {
        organization,
        plugin,
        skill,
        input,
        key,
        lane,
        timeout,
        sendBy,
        pauseCheck,
        signal,
        acts: acts ?? null,
        once: false,
      })
    },
  }
}
