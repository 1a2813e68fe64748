import {
  type Alert,
  AlertStatus,
  type AlertUuid,
  type CaseAlert,
  foldCode,
  type Idempotency,
  type Millis,
  type NewAlert,
  normaliseType,
  type OrganizationId,
  type PauseId,
  type PreparingMark,
} from '../../../domain/index.ts'

export interface AlertDocument extends Omit<Alert, 'uuid' | 'idempotency' | 'sequence' | 'alertId' | 'duplicateOf'> {
  readonly _id: AlertUuid
  /** Absent if the alert has none. The unique index holds only alerts that have one. */
  readonly idempotency?: Idempotency
  /** Absent until the alert is numbered. Until then only its own insert sees it. */
  readonly sequence?: number
  readonly alertId?: string
  /** Since when an alert with an idempotency key waits for its number. */
  readonly unnumberedSince?: Millis
  /** Set while the alert waits for a run: when it was created or last handed over. */
  readonly waitingSince?: Millis
  /** When the automatic retry of a failed alert is due. */
  readonly retryAt?: Millis | null
  /** Absent if the alert is no duplicate. The index holds only duplicates. */
  readonly duplicateOf?: CaseAlert
  /**
   * Set once a claim has decided to investigate the alert, although another claim may have found that it is a duplicate. Then that one no
   * longer ends it. Absent if there was no window that could decide otherwise.
   */
  readonly investigated?: true
  /** The pause that holds the alert. While it is set, the alert does not count as waiting. */
  readonly heldBy?: PauseId
  /** The session that prepares the alert, or that prepared it last. */
  readonly preparing?: PreparingMark
  readonly providerFolded: string
  readonly typeKey: string | null
  /** The tokens, with a space before each. So the search for ` word` finds each token that begins with it. */
  readonly words: string
  /** The `retryCount` that the page of states of its segment knows (`StatesDocument`). Absent: none. */
  readonly paged?: number
  /** The id of the document in `alert_words` that has the tokens too. */
  readonly block: string
}

/** The window of a fingerprint, and its first alert. The unique `_id` decides which of several simultaneous alerts is the first. */
export interface FingerprintDocument {
  readonly _id: { readonly organization: OrganizationId; readonly type: string; readonly digest: string }
  readonly organization: OrganizationId
  readonly alert: AlertUuid
  readonly createdAt: Millis
  readonly closesAt: Millis
}

export type NumberedAlertDocument = AlertDocument & Required<Pick<AlertDocument, 'sequence' | 'alertId'>>

export function isNumbered(document: AlertDocument | null | undefined): document is NumberedAlertDocument {
  return document?.alertId !== undefined
}

export function unnumbered({ uuid, tokens, idempotency, ...alert }: NewAlert, block: string): AlertDocument {
  return {
    _id: uuid,
    ...alert,
    ...(idempotency && { idempotency, unnumberedSince: alert.createdAt }),
    providerFolded: foldCode(alert.provider),
    typeKey: alert.type === null ? null : normaliseType(alert.type),
    words: ` ${tokens.join(' ')}`,
    block,
    status: AlertStatus.created,
    retryCount: 0,
    modifiedAt: alert.createdAt,
    investigator: null,
    case: null,
    caseId: null,
    completedAt: null,
  }
}

/** Returns the fields that a document gains with its number. */
export function numbering({ numberedAs, type, createdAt }: AlertDocument, sequence: number) {
  return { sequence, alertId: `${numberedAs}-${sequence}`, ...(type !== null && { waitingSince: createdAt }) }
}

export function numbered(document: AlertDocument, sequence: number): NumberedAlertDocument {
  const { unnumberedSince: _, ...rest } = document
  return { ...rest, ...numbering(document, sequence) }
}

export function toAlert(document: NumberedAlertDocument): Alert {
  const {
    _id,
    idempotency,
    unnumberedSince: _u,
    waitingSince: _s,
    providerFolded: _p,
    typeKey: _t,
    words: _w,
    block: _b,
    paged: _g,
    heldBy: _h,
    preparing: _m,
    investigated: _i,
    ...alert
  } = document
  return { uuid: _id, idempotency: idempotency ?? null, duplicateOf: null, ...alert }
}

/** The fields that `toAlert` needs. */
export const alertFields = {
  organization: 1,
  organizationCode: 1,
  provider: 1,
  numberedAs: 1,
  type: 1,
  content: 1,
  name: 1,
  createdAt: 1,
  createdAtSource: 1,
  createdBy: 1,
  idempotency: 1,
  sequence: 1,
  alertId: 1,
  status: 1,
  retryCount: 1,
  modifiedAt: 1,
  investigator: 1,
  case: 1,
  caseId: 1,
  completedAt: 1,
  duplicateOf: 1,
} as const
