import type { Logger } from 'pino'
import { type Config, version } from '../config/index.ts'
import { createWebhookSigner, type Vault } from '../connection/index.ts'
import { createEgress } from '../egress/index.ts'
import { atOnce, Courier, type DeliveryMeter, Notifier, Webhooks } from '../notify/index.ts'
import type { Store } from '../storage/index.ts'
import type { Seams } from './seams.ts'

/** Starts the delivery of webhooks in one process. */
export interface Notifications {
  readonly notifier: Notifier
  readonly webhooks: Webhooks
  close(): Promise<void>
}

export function createNotifications(
  { ca, egressAllow: allow }: Config,
  store: Store,
  vault: Vault,
  logger: Logger,
  { clock, ids }: Seams,
  meter: DeliveryMeter,
): Notifications {
  // Webhooks have their own egress, so that deliveries cannot use up the connections of runs that call the same host.
  const egress = createEgress({ ca, allow, connections: atOnce }, clock)
  const deps = { store, egress, signer: createWebhookSigner(vault, ids), clock, ids, logger, version }
  const notifier = new Notifier(store, new Courier({ ...deps, meter }), clock, logger)
  return {
    notifier,
    webhooks: new Webhooks(deps),
    async close() {
      await notifier.stop()
      await egress.close()
    },
  }
}
