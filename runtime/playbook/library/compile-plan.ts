import { TocsinError } from '../../errors/index.ts'
import { inTurns, type Turns } from '../../fairness/index.ts'
import { excessOf } from '../checks/around.ts'
import { examiningPlaybook, type KnownPlaybook, refusal, type SkillLookup } from '../compile/index.ts'
import { mostNested } from '../limits.ts'
import type { Plan } from '../plan.ts'
import type { ReadText } from './read-texts.ts'

/** A playbook, and all sub-playbooks that it runs directly or through others, by name. */
export interface ReadPlaybooks {
  readonly root: ReadText
  readonly subs: ReadonlyMap<string, ReadText>
}

/**
 * Compiles a playbook to a plan. Lets other work take turns on the event loop. Compiles each
 * sub-playbook once, before the playbooks that run it.
 *
 * @param owner the owner whose turns this uses
 * @throws TocsinError `playbook_invalid`
 */
export async function compilePlan({ root, subs }: ReadPlaybooks, lookup: SkillLookup, turns: Turns, owner: string): Promise<Plan> {
  const known = new Map<string, KnownPlaybook>()
  const compile = async (read: ReadText): Promise<Plan> => {
    const own: SkillLookup = {
      ...lookup,
      playbooks: () => [...subs.keys()],
      playbook: (name) => known.get(name) ?? null,
      script: read.script,
    }
    const { plan, findings } = await inTurns(examiningPlaybook(read.document, own), turns, owner)
    if (plan === null) throw refusal(read.document.file, findings)
    return plan
  }
  for (const name of inOrder({ root, subs })) {
    const read = subs.get(name)
    if (read === undefined) continue
    const source = { text: read.document.text, file: read.document.file }
    const end = await compile(read).then(
      (plan): KnownPlaybook => ({ kind: 'plan', plan, source }),
      (error: unknown): KnownPlaybook => {
        if (error instanceof TocsinError) return { kind: 'invalid', error }
        throw error
      },
    )
    known.set(name, end)
  }
  return compile(root)
}

/**
 * Returns the names of the sub-playbooks, each after the sub-playbooks that it runs.
 *
 * @throws TocsinError `playbook_invalid` if they run each other in a circle, are nested too deeply,
 * or are too many
 */
function inOrder({ root, subs }: ReadPlaybooks): readonly string[] {
  const invalid = (why: string): TocsinError => new TocsinError('playbook_invalid', `${root.document.file}: ${why}`)
  const excess = excessOf(
    subs.size,
    [...subs.values()].reduce((sum, { document }) => sum + document.text.length, 0),
  )
  if (excess !== null) throw invalid(excess)
  const done: string[] = []
  const visit = (runs: readonly string[], within: readonly string[]): void => {
    if (within.length > mostNested) throw invalid(`the playbooks are nested more than ${mostNested} deep: ${within.join(' runs ')}`)
    for (const name of runs) {
      if (within.includes(name)) throw invalid(`the playbooks run each other in a circle: ${[...within, name].join(' runs ')}`)
      const sub = subs.get(name)
      if (sub === undefined || done.includes(name)) continue
      visit(sub.runs, [...within, name])
      done.push(name)
    }
  }
  visit(root.runs, [])
  return done
}
