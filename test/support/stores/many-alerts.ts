import { systemIds } from '../../../runtime/config/index.ts'
import {
  type AlertUuid,
  alertPrefix,
  asId,
  type Millis,
  type NewAlert,
  type Organization,
  type PrincipalId,
  systemScope,
  tokensOf,
} from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { claimOf, endOf, openSession } from '../../conformance/storage/fixtures.ts'

const providers = ['crm', 'mailgate', 'mfa', 'edr'] as const
const names = ['Reported phishing', 'MFA fatigue', 'Impossible travel', 'Stolen session', 'Malware on a laptop', 'Mass download'] as const
const atOnce = 1_000

export interface Filling {
  readonly count: number
  /** The time of the newest alert. Each earlier one is `apart` milliseconds older. */
  readonly newest: Millis
  readonly apart: Millis
  /** How many of the newest alerts are investigated. Every seventh of them fails, and every eleventh still runs. */
  readonly investigated: number
}

/** Fills a store with alerts. This is much faster than the API. */
export async function fillWithAlerts(store: Store, { id, code }: Pick<Organization, 'id' | 'code'>, filling: Filling): Promise<void> {
  const { count, newest, apart, investigated } = filling
  const session = await openSession(store)
  for (let from = 0; from < count; from += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => alertAt(from + at))
    const inserted = await store.alerts.insert(systemScope, batch)
    const taken = inserted.filter((_, at) => from + at >= count - investigated)
    await Promise.all(
      taken.map(async ({ alert }, at) => {
        const claimed = await store.runs.claim(systemScope, claimOf(alert, session, 1, alert.createdAt + 200))
        if (claimed.kind !== 'claimed' || at % 11 === 10) return
        const failure = { code: 'call_failed', message: 'The CRM answered 503.', remedy: 'Retry later.', step: 'look' }
        const failed = at % 7 === 6
        const end = {
          at: alert.createdAt + 2_000 + (at % 50) * 900,
          state: failed ? 'failed' : 'completed',
          failure: failed ? failure : null,
        } as const
        await store.runs.end(systemScope, endOf(claimed.run.id, claimed.run.epoch, claimed.position, end))
      }),
    )
  }

  function alertAt(at: number): NewAlert {
    const provider = providers[at % providers.length] ?? 'crm'
    const name = names[at % names.length] ?? ''
    const user = `user${at % 500}@example.com`
    const content = JSON.stringify({ title: name, user, source: { ip: `10.${at % 200}.${at % 250}.7` }, event: at })
    return {
      uuid: asId<AlertUuid>(systemIds.uuid()),
      organization: id,
      organizationCode: code,
      provider,
      numberedAs: alertPrefix(code, provider),
      type: name.toLowerCase(),
      content,
      name,
      tokens: tokensOf(content, name, provider),
      createdAt: newest - (count - 1 - at) * apart,
      createdAtSource: null,
      createdBy: asId<PrincipalId>('0197a000-0000-7000-8000-00000000aaaa'),
      idempotency: null,
    }
  }
}
