import type { Json } from '../../domain/index.ts'
import type { Skill } from '../types.ts'

/** Returns the targets that a call acts on, without duplicates. Empty if the skill does not say. */
export function targetsOf({ target }: Pick<Skill, 'target'>, input: Json): readonly string[] {
  return [...new Set(textsIn(target?.render({ input }) ?? null))]
}

function textsIn(rendered: Json): readonly string[] {
  if (Array.isArray(rendered)) return rendered.flatMap(textsIn)
  return rendered === null || rendered === '' ? [] : [String(rendered)]
}
