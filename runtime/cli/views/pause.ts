import type { Answer } from '../client.ts'
import { bold, plain, time } from '../print.ts'

/** `the organization ACME, paused since 2026-01-01 02:03:04 by ada: why` */
export function pauseText(pause: Answer): string {
  const why = pause['reason'] === null ? '' : `: ${plain(pause['reason'])}`
  return `${plain(pause['what'])}, paused since ${time(pause['paused_at'])} by ${plain(pause['paused_by'])}${why}`
}

/** Returns the line that a held alert or run shows about a pause, with the command that ends the pause. */
export function heldText(pause: Answer): string {
  return `  ${bold('held')} ${pauseText(pause)} · tocsin resume ${plain(pause['id'])}`
}
