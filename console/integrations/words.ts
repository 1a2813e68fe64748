import type { ConnectionAnswer, SkillView } from '../../runtime/api/index.ts'

/** How a connection is doing, worst first. */
export type Health = 'expired' | 'failing' | 'expires_soon' | 'untested' | 'ok'

export const healthWords: Readonly<Record<Health, { readonly word: string; readonly color: string }>> = {
  expired: { word: 'Expired', color: 'red' },
  failing: { word: 'Fails', color: 'red' },
  expires_soon: { word: 'Expires soon', color: 'yellow' },
  untested: { word: 'Not tested', color: 'gray' },
  ok: { word: 'Works', color: 'teal' },
}

/** What one connection does, and what several do. */
const healthVerbs: Readonly<Record<Health, readonly [string, string]>> = {
  expired: ['has expired', 'have expired'],
  failing: ['fails', 'fail'],
  expires_soon: ['expires soon', 'expire soon'],
  untested: ['is not tested', 'are not tested'],
  ok: ['works', 'work'],
}

export function healthOf({ expired, expires_soon: soon, last_test: test }: ConnectionAnswer): Health {
  if (expired) return 'expired'
  if (test?.ok === false) return 'failing'
  if (soon) return 'expires_soon'
  return test === null ? 'untested' : 'ok'
}

const order = Object.keys(healthWords) as Health[]

export function worst(connections: readonly ConnectionAnswer[]): Health | null {
  const all = connections.map(healthOf)
  return order.find((each) => all.includes(each)) ?? null
}

/** Says how connections are doing, worst first: `3 connections: 1 fails, 2 work`, or `1 connection works`. */
export function summaryOf(connections: readonly ConnectionAnswer[]): string {
  if (connections.length === 0) return 'Not connected'
  const counts = Map.groupBy(connections, healthOf)
  const parts = order.flatMap((health) => {
    const number = counts.get(health)?.length ?? 0
    return number === 0 ? [] : [{ number, does: healthVerbs[health][number === 1 ? 0 : 1] }]
  })
  const total = `${connections.length} ${connections.length === 1 ? 'connection' : 'connections'}`
  const [first, ...others] = parts
  return others.length === 0 ? `${total} ${first?.does}` : `${total}: ${parts.map(({ number, does }) => `${number} ${does}`).join(', ')}`
}

export const impactWords: Readonly<Record<SkillView['impact'], { readonly word: string; readonly color: string; readonly means: string }>> = {
  read: { word: 'Reads', color: 'gray', means: 'Changes nothing in the external system.' },
  write: { word: 'Writes', color: 'yellow', means: 'Changes something in the external system.' },
  high: { word: 'High impact', color: 'red', means: 'Changes something that can do great harm if it is wrong.' },
}

/** `access_control` as people read it: `Access control`. */
export function spelled(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const repeatWords: Readonly<Record<NonNullable<SkillView['repeat']>, string>> = {
  state: 'If the answer is lost, a run sends the call again. That is safe: it sets the same state.',
  key: 'If the answer is lost, a run sends the call again. That is safe: the system recognises it.',
  verify: 'If the answer is lost, a run asks the system whether the call happened.',
  ask: 'If the answer is lost, a run asks people what to do.',
}

export const effectWords: Readonly<Record<string, string>> = {
  not_sent: 'Nothing was sent.',
  refused: 'The system refused it. Nothing changed.',
  done: 'The change was made, but the answer could not be used.',
  unknown: 'Nobody knows whether the change was made. Check in the external system before you try again.',
}
