import {
  type Connection,
  type ConnectionId,
  type ConnectionTest,
  type Ids,
  type Json,
  may,
  type Principal,
  pauseSentence,
  scopeOf,
  systemScope,
} from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import {
  type CallFailure,
  type CallHost,
  callProbe,
  callRoleFrom,
  type Plugin,
  type PluginLibrary,
  type SendResult,
  type Skill,
  targetsOf,
  timeoutOf,
} from '../../plugin/index.ts'
import type { CurrentPolicies } from '../../policy/index.ts'
import type { Store } from '../../storage/index.ts'
import { callWithConnection, expiryOf, hostOf, notSent, roleFault } from '../call/call-skill.ts'
import type { CallDeps } from '../call/deps.ts'
import { pauseCheckOf, stoppedBy } from '../call/pause-check.ts'
import { requireOwn } from '../manage/connections.ts'
import type { ManualCalls, ShownRequest } from '../types.ts'
import { heldToSize } from './output-size.ts'
import { policyView, refusedByPolicy } from './policy-check.ts'
import { shownRequest } from './shown-request.ts'
import { found, withRole } from './test-finding.ts'

const never = new AbortController().signal

/** Tests a connection, or runs one skill with it, outside any run. */
export function createManualCalls(store: Store, plugins: PluginLibrary, policies: CurrentPolicies, deps: CallDeps, ids: Ids): ManualCalls {
  const { clock } = deps

  const find = async (principal: Principal, id: ConnectionId): Promise<{ connection: Connection; plugin: Plugin } | null> => {
    const [connection] = await store.connections.byId(scopeOf(principal), [id])
    if (!connection) return null
    requireOwn(principal, connection)
    const plugin = (await plugins.active()).get(connection.integration)
    if (!plugin) throw new TocsinError('integration_unknown', `No plugin "${connection.integration}" is loaded.`)
    return { connection, plugin }
  }

  const testOf = async (connection: Connection, plugin: Plugin, signal: AbortSignal): Promise<ConnectionTest> => {
    const key = ids.uuid()
    const deadline = { timeout: plugin.manifest.request.timeout, sendBy: null, signal }
    const sending = { plugin, connection, lane: key, deadline }
    const host = hostOf(deps, key, sending)
    const proving = hostOf(deps, key, { ...sending, anew: true })
    let status: number | null = null
    const send: CallHost['send'] = async (request) => {
      const result = await proving.send(request)
      status = statusOf(result)
      return result
    }
    const expired = expiryOf(connection, clock)
    const reached = expired ? null : await callProbe(plugin, 'reachability', host)
    const result = expired ?? (await callProbe(plugin, 'test', { ...proving, send })) ?? notSent('internal', 'The manifest has no test.')
    const asked = result.ok ? await callRoleFrom(plugin, host) : { role: null, why: null }
    return {
      ...withRole(found(plugin, result), asked),
      status,
      checkedAt: clock.now(),
      reachable: reached?.ok ?? null,
      role: asked.role,
      reachableNote: reached ? (plugin.manifest.document.reachability?.note ?? null) : null,
    }
  }

  const codeOf = async ({ organization }: Connection): Promise<string | null> => {
    const [owner] = organization === null ? [] : await store.organizations.byId(systemScope, [organization])
    return owner?.code ?? organization
  }

  return {
    async test(principal, id, signal) {
      const there = await find(principal, id)
      if (!there) return null
      const result = await testOf(there.connection, there.plugin, signal)
      // If the connection was changed during the test, the result is not stored with it. It is still
      // returned.
      await store.connections.noteTest(scopeOf(principal), there.connection, result)
      return result
    },
    async run(principal, { connection: id, skill: name, input, revision = null, signal, begins }) {
      const there = await find(principal, id)
      if (!there) return null
      const { connection, plugin } = there
      if (revision !== null && revision !== connection.revision)
        throw new TocsinError('connection_changed', 'The connection has been changed since you read it.')
      const skill = skillOf(plugin, name)
      const writes = skill.impact !== 'read'
      if (writes && !may(principal, 'connections:write'))
        throw new TocsinError('permission_missing', `${plugin.id}.${skill.id} changes the external system. This needs the scope connections:write.`)
      const checked = skill.checkInput(input)
      const fits = checked.faults.length === 0
      begins({
        skill: `${plugin.id}.${skill.id}`,
        impact: skill.impact,
        instance: connection.instance,
        organizationCode: await codeOf(connection),
        targets: fits ? targetsOf(skill, checked.input) : [],
      })
      if (checked.faults.length > 0) return notSent('skill_input_invalid', checked.faults.join('; '))
      const what = { organization: connection.organization, playbooks: [], connections: [connection.id] }
      const pause = writes ? await stoppedBy(store, what) : null
      if (pause) return notSent('paused', pauseSentence(pause))
      const timeout = timeoutOf(plugin, skill)
      const key = ids.uuid()
      const refused = writes
        ? await refusedByPolicy(store, policies, {
            organization: connection.organization,
            plugin,
            skill,
            input: checked.input,
            key,
            now: clock.now(),
          })
        : null
      if (refused) return refused
      const result = await callWithConnection(deps, connection, {
        organization: connection.organization,
        plugin,
        skill,
        input: checked.input,
        key,
        lane: key,
        timeout,
        sendBy: writes ? clock.now() + timeout : null,
        pauseCheck: pauseCheckOf(store, what),
        signal: writes ? never : signal,
        acts: null,
        once: true,
      })
      if (writes && !result.ok && result.effect === 'unknown')
        deps.calls.inDoubt(connection, `${plugin.id}.${skill.id}`, targetsOf(skill, checked.input), result.failure)
      return heldToSize(skill, result)
    },
    async preview(principal, { connection: id, skill: name, input }) {
      const there = await find(principal, id)
      if (!there) return null
      const { connection, plugin } = there
      const { organization } = connection
      const skill = skillOf(plugin, name)
      const writes = skill.impact !== 'read'
      const checked = skill.checkInput(input)
      const fits = checked.faults.length === 0
      const missing = writes && !may(principal, 'connections:write') ? notSent('permission_missing', writeScope) : null
      const pause = writes ? await stoppedBy(store, { organization, playbooks: [], connections: [connection.id] }) : null
      const policy =
        writes && fits
          ? await policyView(store, policies, { organization, plugin, skill, input: checked.input, now: clock.now() })
          : { refused: null, quota: null }
      const shown = fits ? renderedFor(plugin, skill, connection, checked.input) : { request: null, failure: null }
      const refused =
        missing ??
        (pause && notSent('paused', pauseSentence(pause))) ??
        policy.refused ??
        expiryOf(connection, clock) ??
        roleFault(connection, plugin, skill)
      return {
        skill: `${plugin.id}.${skill.id}`,
        impact: skill.impact,
        connection: connection.id,
        instance: connection.instance,
        organizationCode: await codeOf(connection),
        revision: connection.revision,
        input: checked.input,
        faults: fits ? [] : skill.inputFaults(input),
        targets: fits ? targetsOf(skill, checked.input) : [],
        refused: refused?.failure ?? shown.failure,
        request: shown.request,
        quota: policy.quota,
      }
    },
  }
}

function skillOf({ id, skills }: Plugin, name: string): Skill {
  const skill = skills.get(name.startsWith(`${id}.`) ? name.slice(id.length + 1) : name)
  if (skill) return skill
  throw new TocsinError('skill_unknown', `${id} has no skill with this name.`, [{ field: 'skill', message: 'unknown skill' }])
}

const writeScope = 'The skill changes the external system. This needs the scope connections:write.'

/** Renders a request, or says why it cannot be rendered. */
function renderedFor(
  plugin: Plugin,
  skill: Skill,
  connection: Connection,
  input: Json,
): { request: ShownRequest | null; failure: CallFailure | null } {
  try {
    return { request: shownRequest(plugin, skill, connection, input), failure: null }
  } catch (error) {
    if (error instanceof TocsinError) return { request: null, failure: notSent(error.code, error.message).failure }
    if (error instanceof TypeError) return { request: null, failure: notSent('connection_invalid', 'The request does not have a valid URL.').failure }
    throw error
  }
}

/** Returns the status of the answer, or of the token endpoint's answer if the request was not sent. */
function statusOf(result: SendResult): number | null {
  if (result.effect === 'done') return result.answer.status
  const status = result.vendor?.['status']
  return typeof status === 'number' ? status : null
}
