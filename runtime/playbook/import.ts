import { type Clock, type Digest, type OrganizationId, type OverLimit, systemScope } from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import type { Store } from '../storage/index.ts'
import { digestOf } from '../yaml/index.ts'
import { type Looking, type LookingNeeds, lookingFor } from './checks/looking.ts'
import type { ExaminedPlaybook } from './checks/tasks.ts'
import { refusal } from './compile/index.ts'
import { playbookFiles, readPlaybook } from './files.ts'
import type { Impact } from './impact/index.ts'
import type { PlaybookFile } from './lint/index.ts'
import type { ActivePlaybooks } from './versions/active.ts'
import type { Broken } from './versions/breakage.ts'
import { artifactOf, examine } from './versions/candidate.ts'
import { describePlace, type PlaybookPlace, placesOf } from './versions/place.ts'
import { policiesExceeded } from './versions/policy.ts'
import { Proposal, placesNamedIn } from './versions/proposal.ts'
import { type Outcome, setActive } from './versions/set-active.ts'

/** The result for one playbook file and one of its alert types. */
export type Imported =
  | {
      readonly file: string
      readonly outcome: Outcome
      /** Null for a sub-playbook. */
      readonly type: string | null
      readonly name: string
      /**
       * The codes of the organizations whose policy allows less than its worst case. Only for
       * playbooks that this import activated.
       */
      readonly overPolicy: readonly { readonly organization: string; readonly exceeded: readonly OverLimit[] }[]
    }
  | { readonly file: string; readonly outcome: 'refused'; readonly error: TocsinError }

interface Accepted extends PlaybookFile, ExaminedPlaybook {}

/**
 * Imports playbook folders into the store and activates new texts for every organization.
 *
 * A place that a person changed in the store since the last import keeps its playbook
 * (`kept_edit`). A file with an error is refused and replaces nothing. So is a sub-playbook that
 * would break an active playbook.
 *
 * @throws TocsinError `file_unreadable` if a folder cannot be read
 */
export async function importPlaybooks(store: Store, needs: LookingNeeds, folders: readonly string[]): Promise<readonly Imported[]> {
  const { clock } = needs
  const looking = await lookingFor(needs, '')
  const refused = new Map<string, TocsinError>()
  const found = (await Promise.all(folders.map(playbookFiles))).flat()
  const files = await readAll(found, refused)
  const accepted = await acceptable(store, files, looking, refused)
  await store.artifacts.put(
    systemScope,
    accepted.map((each) => artifactOf(each, null, clock.now())),
  )
  const set: { readonly from: Accepted; readonly place: PlaybookPlace; readonly outcome: Outcome }[] = []
  // Sub-playbooks first, because the others need them. All quickly one after the other, because a
  // run that starts in between may have to wait.
  for (const from of accepted.toSorted((a, b) => a.types.length - b.types.length)) {
    if (!(await isStill(from))) continue
    const change = { digest: digestOf(from.text), name: from.name, withdrawn: false, source: 'folder', by: null, at: clock.now() } as const
    for (const place of placesOf(from, null)) {
      const { outcome } = await setActive(store, systemScope, place, change, null)
      set.push({ from, place, outcome })
    }
  }
  const results: Imported[] = []
  for (const { from, place, outcome } of set) {
    const { file, name, impact } = from
    const overPolicy = outcome === 'activated' ? await exceededBy(store, impact, place) : []
    results.push({ file, type: place.kind === 'playbook' ? place.key : null, name, outcome, overPolicy })
  }
  for (const { file, text } of files) if (refused.has(file)) await claimTypes(store, clock, text, looking)
  for (const [file, error] of refused) results.push({ file, outcome: 'refused', error })
  return results.toSorted((a, b) => found.indexOf(a.file) - found.indexOf(b.file))
}

/**
 * Returns whether a file still has the text that was checked. If not, another process may have activated its newer text already, which the
 * older one must not replace. The next look at the folder imports the change.
 */
async function isStill({ file, text }: PlaybookFile): Promise<boolean> {
  return (await readPlaybook(file).catch(() => null)) === text
}

async function readAll(files: readonly string[], refused: Map<string, TocsinError>): Promise<readonly PlaybookFile[]> {
  const read = await Promise.all(
    files.map(async (file) => {
      try {
        return [{ file, text: await readPlaybook(file) }]
      } catch (error) {
        refused.set(file, ours(error))
        return []
      }
    }),
  )
  return read.flat()
}

async function exceededBy(store: Store, impact: Impact, place: PlaybookPlace): Promise<Extract<Imported, { outcome: Outcome }>['overPolicy']> {
  const exceeded = await policiesExceeded(store, impact, [place])
  if (exceeded.length === 0) return []
  const found = await store.organizations.byId(
    systemScope,
    exceeded.map(({ organization }) => organization),
  )
  const codes = new Map(found.map(({ id, code }) => [id, code]))
  return exceeded.map(({ organization, exceeded: over }) => ({ organization: codes.get(organization) ?? organization, exceeded: over }))
}

/**
 * Returns the files that may become active together. A refused file may be missing for the others,
 * so they are checked again without it.
 */
async function acceptable(
  store: Store,
  files: readonly PlaybookFile[],
  looking: Looking,
  refused: Map<string, TocsinError>,
): Promise<readonly Accepted[]> {
  const taken = new Map<string, string>()
  for (const { file, text } of files) {
    for (const place of await placesOrRefusal({ file, text }, looking, refused)) {
      const key = `${place.kind} ${place.key}`
      const other = taken.get(key)
      if (other === undefined) taken.set(key, file)
      else
        refused.set(
          file,
          new TocsinError(
            'playbook_invalid',
            `${file}: ${other} is already ${place.kind === 'playbook' ? 'the playbook for ' : ''}${describePlace(place)}.`,
          ),
        )
    }
  }
  for (;;) {
    const candidates = files.filter(({ file }) => !refused.has(file))
    const before = refused.size
    const proposal = await Proposal.of(store, systemScope, candidates, null, 'folder', looking)
    const broken = await proposal.broken()
    for (const each of broken) if (!each.changed) await blameOthers(each, proposal.after, candidates, refused, looking)
    if (refused.size > before) continue
    const accepted: Accepted[] = []
    for (const candidate of candidates) accepted.push(...(await usable(candidate, proposal.after, refused, looking)))
    if (refused.size > before) continue
    for (const { playbook, changed, error } of broken) if (changed) refused.set(playbook.file, error)
    if (refused.size === before) return accepted
  }
}

/**
 * Returns the places where a file would become active. Refuses a file that cannot be checked; it
 * has no places.
 */
async function placesOrRefusal({ file, text }: PlaybookFile, looking: Looking, refused: Map<string, TocsinError>): Promise<readonly PlaybookPlace[]> {
  try {
    return await placesNamedIn(text, null, looking)
  } catch (error) {
    refused.set(file, ours(error))
    return []
  }
}

async function usable(
  { file, text }: PlaybookFile,
  active: ActivePlaybooks,
  refused: Map<string, TocsinError>,
  looking: Looking,
): Promise<readonly Accepted[]> {
  try {
    const { playbook, findings } = await examine({ file, text }, { active, organization: null, connections: null }, looking)
    if (playbook) return [{ file, text, ...playbook }]
    const errors = findings.filter(({ severity }) => severity === 'error')
    refused.set(file, refusal(file, errors))
  } catch (error) {
    refused.set(file, ours(error))
  }
  return []
}

/** Refuses the changed files that would break a playbook that did not change. */
async function blameOthers(
  { playbook, organization, error }: Broken,
  active: ActivePlaybooks,
  files: readonly PlaybookFile[],
  refused: Map<string, TocsinError>,
  looking: Looking,
): Promise<void> {
  const named = await namedFrom(playbook.digest, active, organization, looking)
  const message = `${playbook.file}, which is active for ${describePlace(playbook.place)}, would stop working: ${error.message}`
  for (const { file, text } of files) {
    const self = await looking.outlines.of(text, looking.work)
    if (self?.types.length === 0 && named.has(self.name)) refused.set(file, new TocsinError('playbook_breaks_others', message, error.places))
  }
}

/** Returns the names of all playbooks that a text runs, directly or through others. */
async function namedFrom(
  digest: Digest,
  active: ActivePlaybooks,
  organization: OrganizationId | null,
  { outlines, work }: Looking,
): Promise<ReadonlySet<string>> {
  const subs = active.subPlaybooks(organization)
  const found = new Set<string>()
  const open = [digest]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const text = await active.textOf(next)
    for (const name of (text === null ? null : await outlines.of(text, work))?.runs ?? []) {
      if (found.has(name)) continue
      found.add(name)
      const sub = subs.get(name)
      if (sub) open.push(sub.digest)
    }
  }
  return found
}

/** Returns the error if it is about the file. Throws it otherwise. */
function ours(error: unknown): TocsinError {
  if (!isTocsinError(error) || error.entry.status >= 500) throw error
  return error
}

/**
 * Activates a refused file for its alert types if they have no playbook. Alerts of these types then
 * fail with the file's error. Otherwise Tocsin would generate a playbook for them.
 */
async function claimTypes(store: Store, clock: Clock, text: string, { outlines, work }: Looking): Promise<void> {
  const named = await outlines.of(text, work).catch(() => null)
  if (named === null || named.types.length === 0) return
  const at = clock.now()
  const digest = digestOf(text)
  for (const place of placesOf(named, null)) {
    if (await store.artifacts.active(systemScope, place)) continue
    await store.artifacts.put(systemScope, [{ digest, kind: 'playbook', name: named.name, text, organization: null, createdAt: at }])
    await setActive(store, systemScope, place, { digest, name: named.name, withdrawn: false, source: 'folder', by: null, at }, null)
  }
}
