import type { OrganizationId } from '../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import { aroundOf } from '../checks/around.ts'
import type { Looking } from '../checks/looking.ts'
import { isTooMuch } from '../checks/outlines.ts'
import type { Outline } from '../checks/tasks.ts'
import { type ActivePlaybooks, type ActiveText, placeKey } from './active.ts'
import { describePlace } from './place.ts'

/** A playbook that compiles now but not after the change. */
export interface Broken {
  readonly playbook: ActiveText
  /** True if the change replaces this playbook itself. */
  readonly changed: boolean
  /**
   * The organization with whose sub-playbooks it does not compile. Null: every organization without
   * sub-playbooks of its own.
   */
  readonly organization: OrganizationId | null
  readonly error: TocsinError
}

/**
 * Returns the playbooks that a change would break, each once. It checks the playbooks that run a
 * changed one. It also checks that a changed playbook compiles with the sub-playbooks of every
 * organization.
 *
 * A playbook that takes too much work to compile does not count as broken. Otherwise one
 * organization could block the changes of others.
 *
 * @param owner the organization whose playbooks change; null: shared playbooks, which concern all
 * organizations
 * @throws the store's errors; TocsinError `overloaded`
 */
export async function brokenBy(
  before: ActivePlaybooks,
  after: ActivePlaybooks,
  owner: OrganizationId | null,
  looking: Looking,
): Promise<readonly Broken[]> {
  const broken = new Map<string, Broken>()
  const compiler = new Compiler(looking)
  for (const organization of owner === null ? after.organizations() : [owner]) {
    const turn = looking.turns.next(looking.work.owner)
    if (turn) await turn
    for (const playbook of await concerned(before, after, organization, organization !== null && organization === owner, looking)) {
      if (broken.has(placeKey(playbook.place))) continue
      const error = await compiler.faultOf(playbook, after, organization)
      if (error === null) continue
      const standing = before.at(playbook.place)
      // A playbook that was already broken is not broken by this change.
      const worked = standing === null || (await compiler.faultOf(standing, before, organization)) === null
      if (worked) broken.set(placeKey(playbook.place), { playbook, changed: standing?.digest !== playbook.digest, organization, error })
    }
  }
  return [...broken.values()]
}

/**
 * Returns the playbooks of an organization that a change may break. They run a changed playbook, or
 * they changed and run one of the organization's own sub-playbooks.
 */
async function concerned(
  before: ActivePlaybooks,
  after: ActivePlaybooks,
  organization: OrganizationId | null,
  isOwner: boolean,
  { outlines, work }: Looking,
): Promise<readonly ActiveText[]> {
  const [subs, subsBefore] = [after.subPlaybooks(organization), before.subPlaybooks(organization)]
  const changed = changedNames(subsBefore, subs)
  const own = new Set([...subs].flatMap(([name, { place }]) => (place.organization === null ? [] : [name])))
  const playbooks = after.playbooks(organization)
  // A changed playbook was already compiled with its owner's sub-playbooks, but not with those of other organizations.
  const changedPlaybooks = isOwner ? [] : playbooks.filter((playbook) => before.at(playbook.place)?.digest !== playbook.digest)
  const looked = changed.size > 0 ? playbooks : own.size > 0 ? changedPlaybooks : []
  if (looked.length === 0) return []
  const all = [...looked, ...subs.values(), ...subsBefore.values()]
  const known = await outlines.ofAll(
    all.map((one) => (subs.get(one.place.key) === one || looked.includes(one) ? after : before).known(one)),
    work,
  )
  const runsAny = (playbook: ActiveText, among: ReadonlyMap<string, ActiveText>, names: ReadonlySet<string>): boolean =>
    reaches(known.get(playbook.digest)?.runs ?? [], among, names, known)
  return looked.filter(
    (playbook) =>
      runsAny(playbook, subs, changed) ||
      runsAny(playbook, subsBefore, changed) ||
      (changedPlaybooks.includes(playbook) && runsAny(playbook, subs, own)),
  )
}

function changedNames(before: ReadonlyMap<string, ActiveText>, after: ReadonlyMap<string, ActiveText>): ReadonlySet<string> {
  return new Set([...before.keys(), ...after.keys()].filter((name) => before.get(name)?.digest !== after.get(name)?.digest))
}

/** Tells whether a playbook that runs `first` also runs one of `names`, directly or through others. */
function reaches(
  first: readonly string[],
  subs: ReadonlyMap<string, ActiveText>,
  names: ReadonlySet<string>,
  known: ReadonlyMap<string, Outline | null>,
): boolean {
  const open = [...first]
  const seen = new Set<string>()
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (names.has(name)) return true
    if (seen.has(name)) continue
    seen.add(name)
    open.push(...(known.get(subs.get(name)?.digest ?? '')?.runs ?? []))
  }
  return false
}

/** Compiles playbooks with an organization's sub-playbooks, each combination once. */
class Compiler {
  readonly #looking: Looking
  readonly #known = new Map<string, TocsinError | null>()

  constructor(looking: Looking) {
    this.#looking = looking
  }

  /** Returns why the playbook does not compile. Null if it compiles, or if the check takes too much work. */
  async faultOf({ digest, file }: ActiveText, active: ActivePlaybooks, organization: OrganizationId | null): Promise<TocsinError | null> {
    const { outlines, work } = this.#looking
    const text = await active.textOf(digest)
    if (text === null) return null
    try {
      const runs = (await outlines.of(text, work))?.runs ?? []
      const subs = active.subPlaybooks(organization)
      const around = await aroundOf(runs, subs, active, outlines, work)
      const key = [digest, ...[...around.sources.keys()].toSorted().map((name) => `${name} ${subs.get(name)?.digest}`)].join('\n')
      const standing = this.#known.get(key)
      if (standing !== undefined) return standing
      const fault = await this.#compile({ text, file }, around)
      this.#known.set(key, fault)
      return fault
    } catch (error) {
      if (isTooMuch(error)) return null
      throw error
    }
  }

  async #compile(file: { readonly text: string; readonly file: string }, around: Awaited<ReturnType<typeof aroundOf>>): Promise<TocsinError | null> {
    const { checks, work } = this.#looking
    if (around.excess !== null) return new TocsinError('playbook_invalid', `${file.file}: ${around.excess}`)
    try {
      return await checks.run('compile', { file, around: { ...around, connections: null } }, work)
    } catch (error) {
      if (isTocsinError(error) && ['playbook_invalid', 'yaml_invalid', 'yaml_too_large'].includes(error.code)) return error
      throw error
    }
  }
}

/** @throws TocsinError `playbook_breaks_others` that names each broken playbook, if there is one */
export function refuseBreakage(broken: readonly Broken[]): void {
  const [first] = broken
  if (!first) return
  const places = broken.map(({ playbook, error }) => ({ field: playbook.place.key, message: `${playbook.file}: ${error.message}` }))
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : ''
  const { place, file } = first.playbook
  throw new TocsinError(
    'playbook_breaks_others',
    `${file}, which is active for ${describePlace(place)}, would stop working: ${first.error.message}${more}`,
    places,
  )
}
