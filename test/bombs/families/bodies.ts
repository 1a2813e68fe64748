import { type Bomb, requestBomb } from '../bomb.ts'

/** A list in a list in a list, as text. */
function deep(levels: number): string {
  return `${'['.repeat(levels)}1${']'.repeat(levels)}`
}

export const bodies: readonly Bomb[] = [
  requestBomb('body: 100,000 levels', () => ({ method: 'POST', path: '/platformapi/alerts', body: deep(100_000) }), 'refused body_too_deep'),
]
