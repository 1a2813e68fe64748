import type { PlaybookSource } from '../compile/index.ts'
import { mostSubPlaybooks, subPlaybooksLength } from '../limits.ts'
import type { ActivePlaybooks, ActiveText } from '../versions/active.ts'
import type { Outlines } from './outlines.ts'
import type { Work } from './port.ts'
import type { Around } from './tasks.ts'

/** The sub-playbooks that an organization's playbooks may run, by name. */
export type SubPlaybooks = ReadonlyMap<string, ActiveText>

/**
 * Reads the sub-playbooks that a text runs, directly or through others. It skips missing ones: the compiler reports those.
 * @param runs the names of the sub-playbooks that the text runs directly
 * @throws the errors of `Outlines.of` and of the store
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

/** Why a playbook runs too many other playbooks, or too large ones; null: it does not. */
export function excessOf(count: number, characters: number): string | null {
  if (count > mostSubPlaybooks) return `a playbook may run at most ${mostSubPlaybooks} others, directly or through others`
  if (characters > subPlaybooksLength) return `the playbooks that this one runs may have at most ${subPlaybooksLength} characters together`
  return null
}
