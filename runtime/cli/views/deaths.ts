import type { Answer } from '../client.ts'

/** Returns a line about processes that died while they worked on a run; nothing if none did. */
export function deathLines({ deaths }: Answer): string[] {
  const { in_a_row: row, total } = (deaths ?? {}) as { in_a_row?: number; total?: number }
  if (!total) return []
  const counted = total === 1 ? '1 process died while it worked on the run' : `${total} processes died while they worked on the run`
  return [`  ${counted}${row ? `, ${row} in a row` : ''}`]
}
