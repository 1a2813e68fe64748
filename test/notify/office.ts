import { systemIds } from '../../runtime/config/index.ts'
import { createVault, createWebhookSigner } from '../../runtime/connection/index.ts'
import { asId, type Delivery, eventTypes, type PrincipalId, systemScope, type Webhook, type WebhookId } from '../../runtime/domain/index.ts'
import { createEgress, type Egress } from '../../runtime/egress/index.ts'
import { atOnce, Courier, Notifier } from '../../runtime/notify/index.ts'
import { openMemoryStore } from '../../runtime/storage/embedded/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { createLogger } from '../../runtime/telemetry/index.ts'
import { newTenant, organizationOf, type Tenant } from '../conformance/storage/fixtures.ts'
import { makePki } from '../simulators/pki.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { Receiver } from './receiver.ts'

const pki = makePki()
const logger = createLogger({ level: 'silent' })
const signer = createWebhookSigner(createVault(Buffer.alloc(32, 5)), systemIds)

/** A store, a receiver, the network between them, and a clock that the test moves. */
export class Office {
  readonly clock = new ManualClock()
  readonly store: Store = openMemoryStore(this.clock)
  readonly egress: Egress = createEgress({ ca: [pki.ca], allow: ['127.0.0.1'], connections: atOnce }, this.clock)
  readonly receiver: Receiver
  /** The outcome of each attempt, as it was counted. */
  readonly counted: string[] = []

  private constructor(receiver: Receiver) {
    this.receiver = receiver
  }

  static async open(): Promise<Office> {
    return new Office(await Receiver.start(pki))
  }

  async tenant(): Promise<Tenant> {
    const tenant = newTenant()
    await this.store.organizations.create(systemScope, organizationOf(tenant))
    return tenant
  }

  /** Makes a webhook of the tenant (null: of all) for a path of the receiver. Returns it with its secret. */
  async webhook(tenant: Tenant | null, path: string, parts: Partial<Webhook> = {}): Promise<Webhook & { readonly value: string }> {
    const id = asId<WebhookId>(systemIds.uuid())
    const { value, sealed } = signer.create(id)
    const at = this.clock.now()
    const webhook: Webhook = {
      id,
      organization: tenant?.id ?? null,
      url: `${this.receiver.url}${path}`,
      description: '',
      events: eventTypes,
      disabled: null,
      secret: sealed,
      previous: null,
      revision: 1,
      createdAt: at,
      createdBy: asId<PrincipalId>('somebody'),
      modifiedAt: at,
      ...parts,
    }
    await this.store.webhooks.create(systemScope, webhook)
    return { ...webhook, value }
  }

  /**
   * Makes the parts of one process.
   *
   * @param store the store that the process sees
   * @param egress the network that the process sees
   */
  process(store: Store = this.store, egress: Egress = this.egress): { readonly courier: Courier; readonly notifier: Notifier } {
    const meter = { attempted: (outcome: string) => void this.counted.push(outcome) }
    const courier = new Courier({ store, egress, signer, clock: this.clock, ids: systemIds, logger, version: '1.2.3', meter })
    return { courier, notifier: new Notifier(store, courier, this.clock, logger) }
  }

  /** Lets a process deliver until nothing is due. */
  async run({ courier, notifier } = this.process()): Promise<void> {
    do {
      await notifier.look()
      await courier.settled()
    } while ((await this.store.deliveries.due(systemScope)).length > 0)
  }

  async deliveries({ id }: Pick<Webhook, 'id'>): Promise<readonly Delivery[]> {
    return (await this.store.deliveries.list(systemScope, { webhook: id, after: null, limit: 100_000 })).items
  }

  async close(): Promise<void> {
    await this.egress.close()
    await this.receiver.close()
    await this.store.close()
  }
}
