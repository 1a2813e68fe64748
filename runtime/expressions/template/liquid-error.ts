/** An error of Liquid, which wraps others. Errors are nested as deep as tags. */
interface Wrapped {
  readonly originalError?: unknown
  readonly token?: { readonly begin?: number }
}

/** Returns the original error inside Liquid's wrappers. */
export function innermost(error: unknown): unknown {
  let current = error
  for (let depth = 0; depth < 20; depth += 1) {
    const next = (current as Wrapped | null | undefined)?.originalError
    if (next === undefined) break
    current = next
  }
  return current
}

/** Returns the plain reason, without the position and excerpt that Liquid adds. */
export function reasonOf(error: unknown): string {
  const inner = innermost(error)
  const message = inner instanceof Error ? inner.message : String(inner)
  return message.replace(/(?:, file:[^,]*)?, line:\d+, col:\d+$/s, '')
}

export function isMissing(error: unknown): boolean {
  return reasonOf(error).startsWith('undefined variable: ')
}

/** Returns the character where Liquid stopped reading, from 0. */
export function positionOf(error: unknown): number {
  return (error as Wrapped).token?.begin ?? 0
}
