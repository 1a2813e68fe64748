import { durationText } from '../../formats/index.ts'
import type { Answer } from '../client.ts'
import { bold, dim, plain, time } from '../print.ts'

const width = 20

/** Returns a quota of the API as text. Null means that the skill has none. */
export function quotaText(quota: Answer | null): string {
  return quota === null ? 'none' : `${plain(quota['calls'])} in ${durationText(Number(quota['per']))}`
}

/** Shows the usage of each quota on a line, with a bar. */
export function usageText({ organization_code: code, quotas }: Answer): string {
  const all = quotas as readonly Answer[]
  if (all.length === 0) return `${plain(code)}: no quota`
  const longest = Math.max(...all.map(({ skill }) => plain(skill).length))
  return all.map((quota) => usageLine(quota, longest)).join('\n')
}

function usageLine(quota: Answer, longest: number): string {
  const [calls, used, waiting] = [Number(quota['calls']), Number(quota['used']), Number(quota['waiting'])]
  const filled = calls === 0 ? width : Math.min(width, Math.ceil((used / calls) * width))
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}]`
  const count = `${used} of ${quotaText(quota)}`
  const since = quota['since'] === null ? '' : dim(` since ${time(quota['since'])}`)
  const asked = waiting === 0 ? '' : bold(`, ${waiting} waiting`)
  return `${plain(quota['skill']).padEnd(longest)}  ${bar} ${used >= calls ? bold(count) : count}${since}${asked}`
}
