import type { Answer } from './client.ts'

/** That processes died while they had a run in work; nothing where none has. */
export function deathLines({ deaths }: Answer): string[] {
  const { in_a_row: row, total } = (deaths ?? {}) as { in_a_row?: number; total?: number }
  if (!total) return []
  const counted = `${total} ${total === 1 ? 'process' : 'processes'} died while it was in work`
  return [`  ${counted}${row ? `, ${row} in a row` : ''}`]
}
