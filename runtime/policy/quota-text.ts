import { type Quota, type QuotaUse, timeText } from '../domain/index.ts'
import { durationText } from '../formats/index.ts'

/** Says how full a quota is, after the word "quota" in a sentence. Times are UTC. */
export function quotaText({ calls, per }: Quota, { calls: made, since }: QuotaUse): string {
  const full = `of ${calls} ${calls === 1 ? 'call' : 'calls'} in ${durationText(per)} is full`
  return since === null ? full : `${full}: ${made} since ${timeText(since)}`
}
