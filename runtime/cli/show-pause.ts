import type { Answer } from './client.ts'
import { plain, time } from './print.ts'

/** `the organization ACME, paused since 2026-01-01 02:03:04 by ada: why` */
export function pauseText(pause: Answer): string {
  const why = pause['reason'] === null ? '' : `: ${plain(pause['reason'])}`
  return `${plain(pause['what'])}, paused since ${time(pause['paused_at'])} by ${plain(pause['paused_by'])}${why}`
}
