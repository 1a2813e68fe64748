import { setTimeout as sleep } from 'node:timers/promises'
import type { Load, Posted } from '../load.ts'
import { type Kind, kinds, type Original, placeholders } from './copies.ts'

interface Item {
  readonly alert_id: string
  readonly alert_uuid: string
  readonly case_id: string | null
  readonly created_at: number
  readonly investigation_status: number
}

interface Asked {
  readonly id: string
  readonly alert_uuid: string
}

/** 10: in progress, 15: completed, 20: failed. */
const [inProgress, completed, failed] = [10, 15, 20]
const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua '.repeat(4)

/** Returns the body of a POST. It has 1 KB. */
function bodyOf(kind: Kind): object {
  const { type, ask, fail, word } = kinds[kind]
  const content = { title: `Bench alert ${word}`, item: 'qzitem', act: true, ask, fail, words: placeholders.join(' '), note: filler }
  return { alert_content: JSON.stringify(content), alert_provider: 'BENCH', organization_code: 'BENCH', alert_type: type }
}

/** Has Tocsin investigate one alert of each kind, and waits until its rows are as they stay. */
export async function investigate(load: Load): Promise<readonly Original[]> {
  const originals: Original[] = []
  for (const kind of Object.keys(kinds) as Kind[]) {
    const { alert_id: id } = (await load.call('POST', '/platformapi/alerts', bodyOf(kind))) as Posted
    originals.push(await settled(load, kind, id))
  }
  return originals
}

async function settled(load: Load, kind: Kind, id: string): Promise<Original> {
  const wanted = kind === 'open' ? inProgress : kinds[kind].fail ? failed : completed
  for (;;) {
    const alert = (await load.call('GET', `/platformapi/alerts/${id}`)) as Item
    const decision = kinds[kind].ask ? await askedBy(load, alert.alert_uuid) : null
    if (kind === 'asked' && decision && alert.investigation_status === inProgress)
      await load.call('POST', `/platformapi/decisions/${decision}`, { verdict: 'approve' }).catch(() => {})
    const stays = alert.investigation_status === wanted && (kind !== 'open' || (decision !== null && (await sleeps(load, alert.alert_uuid))))
    if (stays && alert.case_id !== null) {
      const { alert_uuid: alertUuid, case_id: caseId, created_at: createdAt } = alert
      const { case_uuid: caseUuid } = (await load.call('GET', `/platformapi/cases/${caseId}`)) as { readonly case_uuid: string }
      return { kind, alertUuid, alertId: alert.alert_id, caseUuid, caseId, createdAt, decision }
    }
    await sleep(50)
  }
}

async function askedBy(load: Load, alert: string): Promise<string | null> {
  const { items } = (await load.call('GET', `/platformapi/decisions?run=${alert}-r1`)) as { readonly items: readonly Asked[] }
  return items[0]?.id ?? null
}

async function sleeps(load: Load, alert: string): Promise<boolean> {
  return ((await load.call('GET', `/platformapi/runs/${alert}-r1`)) as { readonly state: string }).state === 'waiting'
}
