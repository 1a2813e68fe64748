import {
  type Alert,
  type Artifact,
  type Clock,
  type Digest,
  normaliseType,
  type OrganizationId,
  organizationScope,
  type Scope,
  systemScope,
} from '../domain/index.ts'
import { TocsinError } from '../errors/index.ts'
import { codesOfPlugin, type Plugin, type PluginLibrary } from '../plugin/index.ts'
import { Fresh, type Store } from '../storage/index.ts'
import { digestOf } from '../yaml/index.ts'
import { type PlaybookSource, playbooksNamedIn, withPlaybooks } from './compile/with-playbooks.ts'
import { compilePlaybook, noPlaybooks, type SkillLookup } from './compile.ts'
import { generatePlaybook } from './generate.ts'
import type { Plan } from './plan.ts'

/** An activation that is this old may still be used; so long may a change take to reach every worker. */
const activationAge = 1_000

/** The playbooks of the store, compiled. */
export interface PlaybookLibrary {
  /**
   * The plan for an alert's type: the organization's own playbook, else the shared one, else one generated for the organization,
   * which is made and stored now if there is none.
   * @throws TocsinError `playbook_invalid` when the active playbook no longer fits the loaded plugins
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
  const active = new Fresh<Digest>(clock, activationAge, 10_000)
  /** The names of the playbooks that one runs, by digest. */
  const runs = new Fresh<readonly string[]>(clock, Number.MAX_SAFE_INTEGER, 10_000)
  /** Sub-playbooks by organization and name, and those of a playbook by organization and digest. */
  const subs = new Fresh<Digest | null>(clock, activationAge, 10_000)
  const named = new Fresh<Readonly<Record<string, Digest>>>(clock, activationAge, 10_000)
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

  /** The sub-playbook of a name that is active for an organization, its own before the shared one; null: there is none. */
  const activeSub = (organization: OrganizationId, name: string): Promise<Digest | null> =>
    subs.get(`${organization} ${name}`, async () => {
      const places = [organization, null].map((of) => store.artifacts.active(systemScope, { kind: 'sub_playbook', organization: of, key: name }))
      return (await Promise.all(places)).find((standing) => standing && !standing.withdrawn)?.digest ?? null
    })

  /** The active sub-playbooks that a playbook runs, and those that they run. One that is not there is left to the compiler to name. */
  const subsOf = async (organization: OrganizationId, digest: Digest): Promise<Readonly<Record<string, Digest>>> => {
    const found: Record<string, Digest> = {}
    const open = [digest]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const of = next
      for (const name of await runs.get(of, async () => playbooksNamedIn((await read(organizationScope(organization), of)).text))) {
        const sub = Object.hasOwn(found, name) ? null : await activeSub(organization, name)
        if (sub === null) continue
        found[name] = sub
        open.push(sub)
      }
    }
    return found
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

  const find = async (alert: Alert, key: string): Promise<Digest> => {
    const { organization } = alert
    const [standing, common] = await Promise.all([
      store.artifacts.active(systemScope, { kind: 'playbook', organization, key }),
      store.artifacts.active(systemScope, { kind: 'playbook', organization: null, key }),
    ])
    const own = standing?.withdrawn ? null : standing
    const shared = common?.withdrawn ? null : common
    if (own && (own.source !== 'generated' || !shared)) return own.digest
    return shared?.digest ?? generate(alert, key, standing?.revision ?? 0)
  }

  return {
    async resolve(alert) {
      const key = normaliseType(alert.type ?? '')
      const digest = await active.get(`${alert.organization} ${key}`, () => find(alert, key))
      const { organization } = alert
      return byDigest(organizationScope(organization), digest, await named.get(`${organization} ${digest}`, () => subsOf(organization, digest)))
    },
    byDigest,
    forget: () => {
      active.clear()
      named.clear()
      subs.clear()
    },
  }
}
