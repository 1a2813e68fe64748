import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'

/** Returns all roles in a manifest, each once. */
export function rolesOf({ roles }: ManifestDocument): readonly string[] {
  return [...new Set((roles ?? []).flat())]
}

/**
 * Returns whether a role includes another. Both must be in the same line of the manifest's `roles`,
 * and the role must be the other one or come after it. Roles in different lines do not include each
 * other.
 */
export function roleIncludes({ roles }: ManifestDocument, role: string, minimum: string): boolean {
  return (roles ?? []).some((line) => line.includes(minimum) && line.indexOf(role) >= line.indexOf(minimum))
}

/** Returns a sentence about what the credentials need for a skill, or null if its file does not say. */
export function needsOf({ id }: { readonly id: string }, { document }: { readonly document: SkillDocument }): string | null {
  const { requires, minimum_role: minimum } = document
  if (requires !== undefined) return `${id}.${document.id} needs ${requires}.`
  return minimum === undefined ? null : `${id}.${document.id} needs the role ${minimum}.`
}
