import { TtlCache } from '../caches/index.ts'
import {
  type Activation,
  type Artifact,
  type Clock,
  type Digest,
  type Millis,
  normaliseType,
  type OrganizationId,
  organizationScope,
  type RunPins,
  type Scope,
  type SentAlert,
  systemScope,
} from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import type { Turns } from '../fairness/index.ts'
import type { Plugin, PluginLibrary } from '../plugin/index.ts'
import type { Store } from '../storage/index.ts'
import { digestOf } from '../yaml/index.ts'
import { ownerOf } from './checks/looking.ts'
import { isTooMuch } from './checks/outlines.ts'
import type { PlaybookChecks, Work } from './checks/port.ts'
import { compilePlan, type ReadText, ReadTexts } from './library/index.ts'
import type { Plan } from './plan.ts'
import { skillLookup } from './skill-lookup.ts'

/** How long an activation is cached, in milliseconds. A change may take this long to reach every worker. */
const activationAge = 1_000
/**
 * How long a playbook that does not compile is remembered. So it is not compiled again for each of
 * its alerts.
 */
const refusalAge: Millis = 10_000
/**
 * Playbooks that belong together become active one after the other. This is the most time that
 * takes, including differences between clocks.
 */
const changeTakes: Millis = 10_000

/** The playbooks for an alert type in an organization, as they were active when this was read. */
interface Chosen {
  readonly digest: Digest
  /** The sub-playbooks that it runs, directly or through others, by name. */
  readonly subs: Readonly<Record<string, Digest>>
  /**
   * When one of these places changed last. 0 for a playbook that runs no others: no other change
   * can make it fit.
   */
  readonly since: Millis
}

/** Compiles the playbooks in the store, and caches the plans. */
export interface PlaybookLibrary {
  /**
   * Returns the plan for an alert's type: the organization's own playbook, else the shared one,
   * else a generated one. If there is none, generates and stores one.
   *
   * @throws TocsinError `playbook_invalid` if the active playbook does not fit the loaded plugins
   * any more; `playbook_changing` if it does not fit its sub-playbooks, and a change of them may
   * still be under way
   */
  resolve(alert: SentAlert): Promise<Plan>
  /**
   * Returns the plan that a run pinned, with the sub-playbooks and the plugins that it pinned, whichever
   * are active now.
   *
   * @throws TocsinError `playbook_unknown`, `playbook_invalid`; the errors of `PluginLibrary.byDigest`
   */
  byDigest(scope: Scope, digest: Digest, pins: Pick<RunPins, 'playbooks' | 'plugins'>): Promise<Plan>
  /** Drops what is cached. Called after an activation. */
  forget(): void
}

/** The parts of other rooms that the playbook library uses. */
export interface LibraryNeeds {
  readonly store: Store
  readonly plugins: PluginLibrary
  readonly clock: Clock
  readonly checks: PlaybookChecks
  readonly turns: Turns
}

/** Finds, chooses and changes the active playbooks. Compiled ones stay in memory. Which one is active may be a second old. */
export function createPlaybookLibrary({ store, plugins, clock, checks, turns }: LibraryNeeds): PlaybookLibrary {
  const chosen = new TtlCache<Chosen>(clock, activationAge, 10_000)
  /** The names of the playbooks that a playbook runs, by its digest. */
  const runs = new TtlCache<readonly string[]>(clock, Number.MAX_SAFE_INTEGER, 10_000)
  const plans = new TtlCache<Plan>(clock, Number.MAX_SAFE_INTEGER, 1_000)
  const refused = new TtlCache<TocsinError>(clock, refusalAge, 1_000)
  const texts = new ReadTexts(checks, clock)

  const read = async (scope: Scope, digest: Digest): Promise<Artifact> => {
    const artifact = await store.artifacts.get(scope, digest)
    if (!artifact) throw new TocsinError('playbook_unknown', `The store has no playbook ${digest}.`)
    return artifact
  }

  const textOf = (scope: Scope, digest: Digest, work: Work): Promise<ReadText> => texts.get(digest, () => read(scope, digest), work)

  const workFor = async (scope: Scope): Promise<Work> => ({ owner: ownerOf(scope, null), plugins: await plugins.active() })

  /** Returns the plugins that a run sees: those that it pinned, else the active ones. A playbook may use the filters of any plugin. */
  const seenBy = async (pinned: RunPins['plugins']): Promise<ReadonlyMap<string, Plugin>> => {
    const active = await plugins.active()
    const others = Object.entries(pinned).filter(([id, digest]) => active.get(id)?.digest !== digest)
    if (others.length === 0) return active
    return new Map([...active, ...(await Promise.all(others.map(async ([id, digest]) => [id, await plugins.byDigest(digest)] as const)))])
  }

  const compile = async (scope: Scope, digest: Digest, pinned: readonly (readonly [string, Digest])[], seen: Work['plugins']): Promise<Plan> => {
    const work: Work = { owner: ownerOf(scope, null), plugins: seen }
    const subs = new Map<string, ReadText>()
    for (const [name, of] of pinned) subs.set(name, await textOf(scope, of, work))
    return compilePlan({ root: await textOf(scope, digest, work), subs }, skillLookup(work.plugins), turns, work.owner)
  }

  const byDigest: PlaybookLibrary['byDigest'] = async (scope, digest, pins) => {
    const pinned = Object.entries(pins.playbooks).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const seen = await seenBy(pins.plugins)
    // The same text may run other sub-playbooks than before, or use another version of a plugin.
    const key = [digest, ...pinned.flat(), digestsOf(seen)].join(' ')
    return plans.get(key, async () => {
      const standing = await refused.peek(key)
      if (standing) throw standing
      try {
        return await compile(scope, digest, pinned, seen)
      } catch (error) {
        if (isTocsinError(error) && error.entry.status < 500) await refused.get(key, async () => error)
        throw error
      }
    })
  }

  /** Returns the activations of a place: the organization's own, and the shared one. */
  const standingIn = (organization: OrganizationId, kind: 'playbook' | 'sub_playbook', key: string) =>
    Promise.all([
      store.artifacts.active(systemScope, { kind, organization, key }),
      store.artifacts.active(systemScope, { kind, organization: null, key }),
    ])

  /**
   * Returns the active sub-playbooks that a playbook runs, directly or through others. Skips
   * missing ones, which the compiler reports.
   */
  const subsOf = async (organization: OrganizationId, digest: Digest): Promise<Pick<Chosen, 'subs' | 'since'>> => {
    const found: Record<string, Digest> = {}
    let since: Millis = 0
    const open = [digest]
    const scope = organizationScope(organization)
    const work = await workFor(scope)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const of = next
      for (const name of await runs.get(of, async () => (await textOf(scope, of, work)).runs)) {
        if (Object.hasOwn(found, name)) continue
        const standing = await standingIn(organization, 'sub_playbook', name)
        since = Math.max(since, lastChange(standing))
        const sub = standing.find((each) => each && !each.withdrawn)?.digest
        if (sub === undefined) continue
        found[name] = sub
        open.push(sub)
      }
    }
    return { subs: found, since }
  }

  /** @param withdrawn the revision of the organization's withdrawn playbook; 0 if it never had one */
  const generate = async ({ organization, type, content }: SentAlert, key: string, withdrawn: number): Promise<Digest> => {
    const scope = organizationScope(organization)
    const work = await workFor(scope)
    const connections = await store.connections.forOrganization(scope, organization)
    const connected = new Set(connections.map(({ integration }) => integration))
    const task = { type: type ?? key, content, connected }
    // If the alert's content takes too much work, generates the playbook as if the content were
    // empty.
    const text = await checks.run('generate', task, work).catch((error: unknown) => {
      if (!isTooMuch(error)) throw error
      return checks.run('generate', { ...task, content: '' }, work)
    })
    const digest = digestOf(text)
    const root = await texts.get(digest, async () => ({ text, name: key }), work)
    const { name } = await compilePlan({ root, subs: new Map() }, skillLookup(work.plugins), turns, work.owner)
    const at = clock.now()
    await store.artifacts.put(scope, [{ digest, kind: 'playbook', name, text, organization, createdAt: at }])
    // The process that activates first wins. The others use its playbook.
    const { standing } = await store.artifacts.activate(scope, {
      kind: 'playbook',
      organization,
      key,
      digest,
      name,
      source: 'generated',
      folderDigest: null,
      revision: withdrawn + 1,
      activatedAt: at,
      activatedBy: null,
      withdrawn: false,
    })
    return standing.digest
  }

  const choose = async (alert: SentAlert, key: string): Promise<Chosen> => {
    const { organization } = alert
    const standing = await standingIn(organization, 'playbook', key)
    const [own, shared] = standing.map((each) => (each?.withdrawn ? null : each))
    const digest =
      own && (own.source !== 'generated' || !shared) ? own.digest : (shared?.digest ?? (await generate(alert, key, standing[0]?.revision ?? 0)))
    const { subs, since } = await subsOf(organization, digest)
    return { digest, subs, since: since === 0 ? 0 : Math.max(since, lastChange(standing)) }
  }

  return {
    async resolve(alert) {
      const type = normaliseType(alert.type ?? '')
      const key = `${alert.organization} ${type}`
      for (let again = false; ; again = true) {
        const { digest, subs, since } = await chosen.get(key, () => choose(alert, type))
        try {
          return await byDigest(organizationScope(alert.organization), digest, { playbooks: subs, plugins: {} })
        } catch (error) {
          if (!isTocsinError(error) || error.code !== 'playbook_invalid' || clock.now() - since >= changeTakes) throw error
          // The read fell between the changes of two playbooks that belong together. The alert must
          // not fail because of that.
          if (again) throw new TocsinError('playbook_changing', error.message, error.places, { cause: error })
          chosen.forget(key)
        }
      }
    },
    byDigest,
    forget: () => chosen.clear(),
  }
}

function lastChange(standing: readonly (Activation | null)[]): Millis {
  return Math.max(0, ...standing.map((each) => each?.activatedAt ?? 0))
}

/** The digest of each set of plugins. Every alert needs it, and a set is the same object for some seconds. */
const digests = new WeakMap<ReadonlyMap<string, Plugin>, Digest>()

function digestsOf(plugins: ReadonlyMap<string, Plugin>): Digest {
  const standing = digests.get(plugins)
  if (standing) return standing
  const made = digestOf(
    [...plugins.values()]
      .map(({ digest }) => digest)
      .toSorted()
      .join(' '),
  )
  digests.set(plugins, made)
  return made
}
