import type { PlaybookSource } from '../compile.ts'
import { mostSubPlaybooks, subPlaybooksLength } from '../limits.ts'
import type { ActivePlaybooks, ActiveText } from '../versions/active.ts'
import type { Outlines } from './outlines.ts'
import type { Work } from './port.ts'
import type { Around } from './tasks.ts'

/** The sub-playbooks that somebody's playbooks may run, by name. */
export type SubPlaybooks = ReadonlyMap<string, ActiveText>

/**
 * The sub-playbooks that a text runs, and those that they run. One that is not there is left to the compiler to name.
 * @param runs the names of those that the text runs
 * @throws as `Outlines`
 */
export async function aroundOf(
  runs: readonly string[],
  subs: SubPlaybooks,
  active: Pick<ActivePlaybooks, 'textOf'>,
  outlines: Outlines,
  work: Work,
): Promise<Omit<Around, 'connections'>> {
  const sources = new Map<string, PlaybookSource>()
  const open = [...runs]
  let characters = 0
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const sub = subs.get(name)
    if (sub === undefined || sources.has(name)) continue
    const text = await active.textOf(sub.digest)
    if (text === null) continue
    sources.set(name, { text, file: sub.file })
    characters += text.length
    const excess = excessOf(sources.size, characters)
    if (excess !== null) return { sources: new Map(), names: [...subs.keys()], excess }
    open.push(...((await outlines.of(text, work))?.runs ?? []))
  }
  return { sources, names: [...subs.keys()], excess: null }
}

/** Why a playbook may not run so many others, or so large ones; null: it may. */
export function excessOf(count: number, characters: number): string | null {
  if (count > mostSubPlaybooks) return `a playbook runs ${mostSubPlaybooks} others at most, those that they run counted`
  if (characters > subPlaybooksLength) return `the playbooks that this one runs have ${subPlaybooksLength} characters at most together`
  return null
}
