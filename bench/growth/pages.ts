import { cursorsOf } from '../../runtime/api/request/index.ts'
import type { Load } from '../load.ts'

/** A page of a list. Times in milliseconds. */
export interface TimedPage {
  readonly page: string
  readonly items: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
}

type Query = Readonly<Record<string, string>>

const lists: Readonly<Record<string, { readonly defaults: object; readonly queries: Readonly<Record<string, Query>> }>> = {
  alerts: {
    defaults: { sort: '-created_at' },
    queries: {
      failed: { status: 'failed' },
      'in progress': { status: 'inprogress' },
      'one type': { type: 'bench_history' },
      'one playbook': { playbook: 'bench-run' },
      'no playbook': { playbook: 'nobody' },
      'failed, oldest first': { status: 'failed', sort: 'created_at' },
      'failed, and a type that it never meets': { status: 'failed', type: 'bench_run' },
      'failed, and a playbook that it never meets': { status: 'failed', playbook: 'bench-run' },
      'a type, and a playbook that it never meets': { type: 'bench_run', playbook: 'bench-history' },
      'a common word': { q: 'lorem' },
      'a word of one alert': { q: 'single' },
      'a word of none': { q: 'nowhere' },
      'a letter': { q: 'a' },
      'two common words that never meet': { q: 'never1 never2' },
      'two common words that never meet, of an organization and a type': { q: 'never1 never2', organization: 'BENCH', type: 'bench_history' },
      'a common word, oldest first': { q: 'lorem', sort: 'created_at' },
      'twenty words': { q: 'lorem ipsum dolor sit amet elit sed do ut labore et magna aliqua never1 never2 a b c d e' },
      'a common word, and a status that it never meets': { q: 'smooth', status: 'failed' },
      'a common word, and a status that none has': { q: 'lorem', status: 'submitted' },
      'a common word, and a playbook that it never meets': { q: 'smooth', playbook: 'bench-run' },
      'a common word, and a type that it never meets': { q: 'smooth', type: 'bench_run' },
    },
  },
  runs: {
    defaults: {},
    queries: {
      failed: { state: 'failed' },
      waiting: { state: 'waiting' },
      'one type': { alert_type: 'bench_run' },
      'no type': { alert_type: 'nothing' },
    },
  },
  cases: {
    defaults: { sort: '-created_at' },
    queries: {
      closed: { status: 'closed' },
      'high severity': { severity: 'high' },
      'by change': { sort: '-modified_at' },
      'a word of none': { q: 'nowhere' },
      'a part of a word of all': { q: 'enc' },
      'a word of none, by change': { q: 'nowhere', sort: '-modified_at' },
    },
  },
  decisions: {
    defaults: {},
    queries: { open: { state: 'open' }, approved: { state: 'approved' }, 'by deadline': { sort: 'deadline', state: 'open' } },
  },
}

/** Asks for the page until it has enough answers, or until the time is over. */
async function timed(load: Load, page: string, path: string, most: number, seconds: number): Promise<TimedPage> {
  const times: number[] = []
  let items = 0
  const began = performance.now()
  while (times.length < most && (times.length < 3 || performance.now() - began < seconds * 1_000)) {
    const asked = performance.now()
    items = ((await load.call('GET', path)) as { readonly items: readonly unknown[] }).items.length
    times.push(performance.now() - asked)
  }
  times.sort((a, b) => a - b)
  const at = (part: number): number => Number((times[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)] ?? Number.NaN).toFixed(1))
  return { page, items, p50: at(0.5), p99: at(0.99), worst: at(1) }
}

/**
 * Measures pages of 50, one at a time: of each list the first one, and of a list without filters one in the middle.
 * @param middle a time in the middle of the list
 * @param most how often each page is asked for
 */
export async function measurePages(load: Load, middle: number, most: number, tell: (timed: TimedPage) => void): Promise<readonly TimedPage[]> {
  const found: TimedPage[] = []
  const measure = async (page: string, path: string): Promise<void> => {
    const one = await timed(load, page, path, most, 5)
    found.push(one)
    tell(one)
  }
  for (const [list, { defaults, queries }] of Object.entries(lists)) {
    const cursor = cursorsOf(list, defaults).encode([middle, ''])
    await measure(list, `/platformapi/${list}`)
    for (const [name, query] of Object.entries(queries)) await measure(`${list}, ${name}`, `/platformapi/${list}?${new URLSearchParams(query)}`)
    await measure(`${list}, in the middle`, `/platformapi/${list}?cursor=${encodeURIComponent(cursor)}`)
  }
  return found
}
