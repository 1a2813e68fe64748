import {
  type Activation,
  type Alert,
  type Artifact,
  type Clock,
  type Digest,
  type Millis,
  normaliseType,
  type OrganizationId,
  organizationScope,
  type Scope,
  systemScope,
} from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import { codesOfPlugin, type Plugin, type PluginLibrary } from '../plugin/index.ts'
import { Fresh, type Store } from '../storage/index.ts'
import { digestOf } from '../yaml/index.ts'
import { type PlaybookSource, playbooksNamedIn, withPlaybooks } from './compile/with-playbooks.ts'
import { compilePlaybook, noPlaybooks, type SkillLookup } from './compile.ts'
import { generatePlaybook } from './generate.ts'
import type { Plan } from './plan.ts'

/** An activation that is this old may still be used; so long may a change take to reach every worker. */
const activationAge = 1_000
/** Playbooks that change together become active one after the other; so long may that take, other processes' clocks included. */
const changeTakes: Millis = 10_000

/** What alerts of a type are investigated with in an organization, as the places stood when they were read. */
interface Chosen {
  readonly digest: Digest
  /** The sub-playbooks that it runs, and those that they run, by name. */
  readonly subs: Readonly<Record<string, Digest>>
  /** When the place of them that changed last did so; 0 of one that runs no others, which nothing else can make fit. */
  readonly since: Millis
}

/** The playbooks of the store, compiled. */
export interface PlaybookLibrary {
  /**
   * The plan for an alert's type: the organization's own playbook, else the shared one, else one generated for the organization,
   * which is made and stored now if there is none.
   * @throws TocsinError `playbook_invalid` when the active playbook no longer fits the loaded plugins; `playbook_changing` when it does not
   * fit, and what it runs may still be about to change
   */
  resolve(alert: Alert): Promise<Plan>
  /** The plan that a run pinned, with the sub-playbooks that it pinned, by name. @throws TocsinError `playbook_unknown`, `playbook_invalid` */
  byDigest(scope: Scope, digest: Digest, playbooks: Readonly<Record<string, Digest>>): Promise<Plan>
  /** After an activation: what was read before is not used again in this process. */
  forget(): void
}

/** What playbooks may name of the given plugins. */
export function skillLookup(plugins: ReadonlyMap<string, Plugin>): SkillLookup {
  const filters = Object.assign({}, ...[...plugins.values()].map(({ manifest }) => manifest.document.quoting ?? {}))
  return {
    integrations: () => [...plugins.keys()],
    skills: (integration) => [...(plugins.get(integration)?.skills.keys() ?? [])],
    skill: (integration, skill) => plugins.get(integration)?.skills.get(skill) ?? null,
    codes: (integration) => codesOfPlugin(plugins.get(integration)),
    filters: () => filters,
    ...noPlaybooks,
  }
}

export function createPlaybookLibrary(store: Store, plugins: PluginLibrary, clock: Clock): PlaybookLibrary {
  const chosen = new Fresh<Chosen>(clock, activationAge, 10_000)
  /** The names of the playbooks that one runs, by digest. */
  const runs = new Fresh<readonly string[]>(clock, Number.MAX_SAFE_INTEGER, 10_000)
  const plans = new Fresh<Plan>(clock, Number.MAX_SAFE_INTEGER, 1_000)

  const compile = async (text: string, name: string, subs: ReadonlyMap<string, PlaybookSource> = new Map()): Promise<Plan> =>
    compilePlaybook(text, name, withPlaybooks(skillLookup(await plugins.active()), subs))

  const read = async (scope: Scope, digest: Digest): Promise<Artifact> => {
    const artifact = await store.artifacts.get(scope, digest)
    if (!artifact) throw new TocsinError('playbook_unknown', `The store has no playbook ${digest}.`)
    return artifact
  }

  const byDigest = (scope: Scope, digest: Digest, playbooks: Readonly<Record<string, Digest>>): Promise<Plan> => {
    const pinned = Object.entries(playbooks).toSorted(([a], [b]) => (a < b ? -1 : 1))
    // The same text may run other sub-playbooks than it did.
    return plans.get([digest, ...pinned.flat()].join(' '), async () => {
      const { text, name } = await read(scope, digest)
      const subs = await Promise.all(pinned.map(async ([sub, of]) => [sub, { text: (await read(scope, of)).text, file: sub }] as const))
      return compile(text, name, new Map(subs))
    })
  }

  /** What stands in a place: the organization's own, and the shared one. */
  const standingIn = (organization: OrganizationId, kind: 'playbook' | 'sub_playbook', key: string) =>
    Promise.all([
      store.artifacts.active(systemScope, { kind, organization, key }),
      store.artifacts.active(systemScope, { kind, organization: null, key }),
    ])

  /** The active sub-playbooks that a playbook runs, and those that they run. One that is not there is left to the compiler to name. */
  const subsOf = async (organization: OrganizationId, digest: Digest): Promise<Pick<Chosen, 'subs' | 'since'>> => {
    const found: Record<string, Digest> = {}
    let since: Millis = 0
    const open = [digest]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const of = next
      for (const name of await runs.get(of, async () => playbooksNamedIn((await read(organizationScope(organization), of)).text))) {
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

  /** @param withdrawn the revision of what the organization had and withdrew; 0: it had nothing */
  const generate = async ({ organization, type, content }: Alert, key: string, withdrawn: number): Promise<Digest> => {
    const loaded = [...(await plugins.active()).values()]
    const connections = await store.connections.forOrganization(organizationScope(organization), organization)
    const connected = new Set(connections.map(({ integration }) => integration))
    const text = generatePlaybook({ type: type ?? key, content, integrations: loaded, connected })
    const { name } = await compile(text, key)
    const digest = digestOf(text)
    const scope = organizationScope(organization)
    const at = clock.now()
    await store.artifacts.put(scope, [{ digest, kind: 'playbook', name, text, organization, createdAt: at }])
    // Whoever activates first decides; the others use that one.
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

  const choose = async (alert: Alert, key: string): Promise<Chosen> => {
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
          return await byDigest(organizationScope(alert.organization), digest, subs)
        } catch (error) {
          if (!isTocsinError(error) || error.code !== 'playbook_invalid' || clock.now() - since >= changeTakes) throw error
          // Read between the change of a playbook and that of another which belongs to it: the alert must not fail for that.
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
