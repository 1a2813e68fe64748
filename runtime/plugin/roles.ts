import type { ManifestDocument } from './grammar/index.ts'

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
