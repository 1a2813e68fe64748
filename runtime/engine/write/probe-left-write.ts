import { type Json, stepOf, systemScope } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Plugin, PluginLibrary } from '../../plugin/index.ts'
import type { Store } from '../../storage/index.ts'
import { checkAlive } from '../failure/check-alive.ts'
import { type ProbeContext, type Probed, probe } from './probe.ts'
import { latestResend } from './resolve-unknown-write.ts'
import type { LeftWrite } from './settle-left-writes.ts'

/** What probing a write needs, if its run cannot be executed. */
export type LeftProbeContext = ProbeContext & { readonly store: Pick<Store, 'journal'>; readonly plugins: Pick<PluginLibrary, 'byDigest'> }

/**
 * Asks the external system about a write in doubt that its run has not come to. Everything that it needs is in the
 * journal and in the plugin that the run pinned.
 * @returns null if the plugin is gone, or the skill has no probe
 * @throws Sleeping if the probe's code found no free slot; GivenUp; the store's error
 */
export async function probeLeftWrite(context: LeftProbeContext, { tries, sent }: LeftWrite): Promise<Probed | null> {
  const { run, store, clock, signal } = context
  const [integration = '', name = ''] = sent.skill.split('.')
  const plugin = await pinnedPlugin(context, integration)
  const skill = plugin?.skills.get(name)
  const verify = skill?.document.verify
  if (!plugin || !skill || !verify) return null
  const json = 'value' in sent.input ? null : await store.journal.getOutput(systemScope, run.id, sent.input.stored)
  if (!('value' in sent.input) && json === null) return null
  const input = 'value' in sent.input ? sent.input.value : (JSON.parse(json ?? 'null') as Json)
  const found = await probe(context, { address: stepOf(tries.address), connection: sent.connection, plugin, skill, input })
  checkAlive(signal)
  // Somebody may have undone it by now.
  if (found.kind !== 'absent' || clock.now() <= latestResend(skill.document, tries, clock.now())) return found
  return { kind: 'inconclusive', why: `${verify.skill} does not find it, but somebody may have undone it meanwhile` }
}

/** Returns the plugin that the run pinned. Null: it cannot be loaded any more. */
async function pinnedPlugin({ run, plugins }: LeftProbeContext, integration: string): Promise<Plugin | null> {
  const digest = run.pins.plugins[integration]
  if (digest === undefined) return null
  try {
    return await plugins.byDigest(digest)
  } catch (error) {
    if (isTocsinError(error) && error.code === 'store_unavailable') throw error
    return null
  }
}
