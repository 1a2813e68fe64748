import type { SkillAnswer } from './skill-answer.ts'

/**
 * Returns the time of the answer in epoch milliseconds, from its `Date` header, so that times in
 * the answer are compared with the system's own clock. Null without a valid header.
 */
export function answeredAt({ date }: SkillAnswer['headers']): number | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : time
}
