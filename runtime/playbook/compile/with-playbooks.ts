import { isObject, type Json } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import { playbookLimits } from '../limits.ts'
import type { Plan } from '../plan.ts'
import { compilePlaybookWithin } from './compile.ts'
import type { KnownPlaybook, PlaybookSource, SkillLookup } from './lookup.ts'
import { findSteps } from './names/index.ts'

/**
 * Returns a lookup that also knows these playbooks. Each is compiled once, when it is first needed.
 * @param sources the texts by name; also playbooks with alert types, and those that do not compile, because a step that runs one is told why it cannot
 */
export function withPlaybooks<T extends SkillLookup>(lookup: T, sources: ReadonlyMap<string, PlaybookSource>): T {
  const plans = new Map<string, Plan>()
  const whole: T = {
    ...lookup,
    playbooks: () => [...new Set([...sources.keys(), ...lookup.playbooks()])],
    playbook(name: string, within: readonly string[]): KnownPlaybook | null {
      const source = sources.get(name)
      if (source === undefined) return lookup.playbook(name, within)
      const standing = plans.get(name)
      if (standing !== undefined) return { kind: 'plan', plan: standing, source }
      try {
        const plan = compilePlaybookWithin(source.text, source.file, whole, within)
        plans.set(name, plan)
        return { kind: 'plan', plan, source }
      } catch (error) {
        // Not cached: in a circle of playbooks, the error depends on the playbook that was compiled first.
        if (isTocsinError(error)) return { kind: 'invalid', error }
        throw error
      }
    },
  }
  return whole
}

/** Returns playbooks by name. If two have the same name, the first one counts. Skips texts that are not YAML or have no name. */
export function sourcesOf(files: Iterable<PlaybookSource>): ReadonlyMap<string, PlaybookSource> {
  const sources = new Map<string, PlaybookSource>()
  for (const source of files) {
    const name = playbookNameIn(source)
    if (name !== null && !sources.has(name)) sources.set(name, source)
  }
  return sources
}

/** Returns the name in a playbook's text. Null if the text is not YAML, or has no name. */
export function playbookNameIn({ text, file }: PlaybookSource): string | null {
  try {
    const { value } = parseYaml(text, file, playbookLimits)
    return isObject(value) && typeof value['playbook'] === 'string' ? value['playbook'] : null
  } catch (error) {
    if (isTocsinError(error)) return null
    throw error
  }
}

/** Returns the names of all playbooks that the steps of a text run. @throws TocsinError `yaml_invalid`, `yaml_too_large` */
export function playbooksNamedIn(text: string): readonly string[] {
  return namesRunBy(parseYaml(text, '', playbookLimits).value)
}

/** Returns the names of all playbooks that the steps of a document run. */
export function namesRunBy(document: Json): readonly string[] {
  return textsOfSteps(document, 'playbook')
}

/** Returns the sources of a document's scripts. */
export function scriptsIn(document: Json): readonly string[] {
  return textsOfSteps(document, 'script')
}

function textsOfSteps(document: Json, key: 'playbook' | 'script'): readonly string[] {
  const steps = isObject(document) ? findSteps(document['steps'], ['steps']) : []
  return [...new Set([...steps].flatMap(({ step }) => (typeof step[key] === 'string' ? [step[key]] : [])))]
}
