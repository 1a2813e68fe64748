import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'

/** All roles that a manifest knows, each once. */
export function rolesOf({ roles }: ManifestDocument): readonly string[] {
  return [...new Set((roles ?? []).flat())]
}

/**
 * Whether a role includes another: both stand in one line of the manifest's `roles`, and it is the same or stands behind. Of roles in different
 * lines neither includes the other.
 */
export function roleIncludes({ roles }: ManifestDocument, role: string, minimum: string): boolean {
  return (roles ?? []).some((line) => line.includes(minimum) && line.indexOf(role) >= line.indexOf(minimum))
}

/** A sentence on what the credentials need for a skill; null where its file does not say. */
export function needsOf({ id }: { readonly id: string }, { document }: { readonly document: SkillDocument }): string | null {
  const { requires, minimum_role: minimum } = document
  if (requires !== undefined) return `${id}.${document.id} needs ${requires}.`
  return minimum === undefined ? null : `${id}.${document.id} needs the role ${minimum}.`
}
