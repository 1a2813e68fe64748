import type { OrganizationId } from '../../domain/index.ts'
import { isTocsinError, TocsinError } from '../../errors/index.ts'
import { playbooksNamedIn, withPlaybooks } from '../compile/with-playbooks.ts'
import { compilePlaybook, type SkillLookup } from '../compile.ts'
import { type ActivePlaybooks, type ActiveText, placeKey } from './active.ts'
import { describePlace } from './place.ts'

/** A playbook that works today, and would not after a change. */
export interface Broken {
  readonly playbook: ActiveText
  /** Whether it is itself changed. */
  readonly changed: boolean
  /** In whose place it is seen so; null: everybody's. */
  readonly organization: OrganizationId | null
  readonly error: TocsinError
}

/** The playbooks that a change of others would break, each once. One that is itself changed counts, too, where an organization's sub-playbooks do not fit it. */
export function brokenBy(before: ActivePlaybooks, after: ActivePlaybooks, lookup: SkillLookup): readonly Broken[] {
  const broken = new Map<string, Broken>()
  for (const organization of after.organizations()) {
    const subs = after.subPlaybooks(organization)
    if (subs.size === 0 && before.subPlaybooks(organization).size === 0) continue
    const world = withPlaybooks(lookup, subs)
    for (const playbook of after.playbooks(organization)) {
      if (broken.has(placeKey(playbook.place)) || !runsOthers(playbook)) continue
      const error = faultOf(playbook, world)
      if (error === null) continue
      const standing = before.at(playbook.place)
      // What was broken already is not this change's doing.
      const worked = standing === null || faultOf(standing, withPlaybooks(lookup, before.subPlaybooks(organization))) === null
      if (worked) broken.set(placeKey(playbook.place), { playbook, changed: standing?.text !== playbook.text, organization, error })
    }
  }
  return [...broken.values()]
}

function runsOthers({ text }: ActiveText): boolean {
  try {
    return playbooksNamedIn(text).length > 0
  } catch {
    // Of a text that is no YAML it is not known, and no matter: it was broken before.
    return false
  }
}

function faultOf({ text, file }: ActiveText, lookup: SkillLookup): TocsinError | null {
  try {
    compilePlaybook(text, file, lookup)
    return null
  } catch (error) {
    if (isTocsinError(error)) return error
    throw error
  }
}

/** @throws TocsinError `playbook_breaks_others` that names each */
export function refuseBreakage(broken: readonly Broken[]): void {
  const [first] = broken
  if (!first) return
  const places = broken.map(({ playbook, error }) => ({ field: playbook.place.key, message: `${playbook.file}: ${error.message}` }))
  const more = broken.length > 1 ? ` (and ${broken.length - 1} more)` : ''
  const { place, file } = first.playbook
  throw new TocsinError(
    'playbook_breaks_others',
    `${file}, active for ${describePlace(place)}, would not work: ${first.error.message}${more}`,
    places,
  )
}
