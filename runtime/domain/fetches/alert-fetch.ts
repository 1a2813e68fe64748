import type { ConnectionId, FetchId, OrganizationId, PrincipalId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { Json } from '../text/json.ts'

/** How an item of an answer becomes an alert. Places are JSON pointers into the item (RFC 6901). */
interface ItemReading {
  /** Where the output of the skill has the list of items. Empty: the output is the list. */
  readonly items: string
  /** A provider's code, as it is echoed. */
  readonly provider: string
  /** The type of alerts that have none at `typeAt`. */
  readonly type: string | null
  readonly typeAt: string | null
  /** Where an item has its id. An item without one is identified by its whole content. */
  readonly idAt: string | null
  /** Where an item has the time at which the system made it. */
  readonly createdAt: string | null
}

/** Brings alerts from an external system that cannot send them: a read skill is called again and again, and each item becomes an alert. */
export interface AlertFetch {
  readonly id: FetchId
  readonly organization: OrganizationId
  readonly name: string
  /** A connection of the organization, or of all organizations. */
  readonly connection: ConnectionId
  /** A read skill of the connection's integration, without the integration's name. */
  readonly skill: string
  /** The skill's input. Its texts may be templates that read `since` and `until`. */
  readonly input: Readonly<Record<string, Json>>
  readonly reading: ItemReading
  /** How long after the end of an attempt the next one is due. */
  readonly every: Millis
  /** How much earlier `since` is than what was fetched last, for alerts that the system shows late. */
  readonly overlap: Millis
  /** False: nothing is fetched. */
  readonly enabled: boolean
  /** Whoever its alerts are created by. No key belongs to it. */
  readonly principal: PrincipalId
  /** 1 when it is created. Rises with every change. */
  readonly revision: number
  readonly createdAt: Millis
  readonly createdBy: PrincipalId
  readonly modifiedAt: Millis
}
