import { isTocsinError } from '../errors/index.ts'
import { compilePlaybook, type Plan, type PlaybookSource, playbooksNamedIn, withPlaybooks } from '../playbook/index.ts'
import type { ReadPlaybook, World } from './world.ts'

/** A sub-playbook that is active on a server. */
export interface ServedPlaybook extends PlaybookSource {
  readonly name: string
  /** The code of the organization that owns it. Null if it is shared. */
  readonly organization: string | null
  readonly revision: number
  readonly digest: string
}

/** Looks up a sub-playbook on a server. Returns null if no playbook with this name is active there. */
export type FindServed = (name: string) => Promise<ServedPlaybook | null>

/** The sub-playbooks that a playbook file runs, directly or through others, and that are in no file. */
export interface Gaps {
  /** Those that the server has, sorted by name. */
  readonly served: readonly ServedPlaybook[]
  /** The names of those that the server does not have. */
  readonly unknown: readonly string[]
}

/**
 * Finds the sub-playbooks that a playbook file runs, directly or through others, and that are in no
 * file. A file takes precedence over a playbook with the same name on the server.
 *
 * @throws what `find` throws
 */
export async function fillGaps({ around, ...root }: ReadPlaybook, find: FindServed): Promise<Gaps> {
  const served: ServedPlaybook[] = []
  const unknown: string[] = []
  const seen = new Set<string>()
  const open: PlaybookSource[] = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of namesIn(next)) {
      if (seen.has(name)) continue
      seen.add(name)
      const beside = around.get(name)
      if (beside !== undefined) {
        open.push(beside)
        continue
      }
      const found = await find(name)
      if (found === null) unknown.push(name)
      else {
        served.push(found)
        open.push(found)
      }
    }
  }
  return { served: served.toSorted((a, b) => (a.name < b.name ? -1 : 1)), unknown: unknown.toSorted() }
}

/**
 * Compiles a playbook file with sub-playbooks from the server. @throws TocsinError `yaml_invalid`,
 * `playbook_invalid`
 */
export function compileWithServed(world: World, { text, file, around }: ReadPlaybook, served: readonly ServedPlaybook[]): Plan {
  const sources = new Map([...served.map((each) => [each.name, each] as const), ...around])
  return compilePlaybook(text, file, withPlaybooks(world.lookup, sources))
}

/**
 * Returns the names of the playbooks that a text runs. Empty if the text is not YAML: the compiler
 * reports that.
 */
function namesIn({ text }: PlaybookSource): readonly string[] {
  try {
    return playbooksNamedIn(text)
  } catch (error) {
    if (isTocsinError(error)) return []
    throw error
  }
}
