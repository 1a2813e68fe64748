/** An issue as the API shows it. */
export interface Issue {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly severity: string
  readonly entityType: string
  readonly detection: string
  readonly classification: string | null
  readonly assignee: string | null
  readonly snoozedUntil: string | null
  readonly remediationActions: readonly string[]
  readonly messageCount: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Message {
  readonly id: string
  /** The issue that it belongs to. Null if it belongs to none. */
  readonly issue: string | null
  readonly subject: string
  readonly status: string
  readonly sender: string
  readonly recipients: readonly string[]
  readonly receivedAt: string
  readonly headers: Readonly<Record<string, string>>
  readonly authentication: { readonly spf: string; readonly dkim: string; readonly dmarc: string }
  readonly text: string
  readonly attachments: readonly { readonly name: string; readonly sha256: string; readonly size: number }[]
  readonly links: readonly { readonly url: string; readonly verdict: string }[]
  readonly mailbox: { readonly account: string; readonly folder: string; readonly read: boolean }
  readonly sensitive: boolean
}

/** Features that may be set differently for one account. */
export const featureNames = ['identity_challenge', 'attachment_redaction', 'leak_protection'] as const

interface FeatureOverride<State extends string> {
  readonly feature: (typeof featureNames)[number]
  readonly state: State
}

export interface Account {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly email: string
  readonly role: string
  readonly licensed: boolean
  readonly vip: boolean
  readonly posture: { readonly mfaEnrolled: boolean; readonly lastSignInCountry: string }
  readonly mailbox: { readonly delegates: readonly string[]; readonly forwarding: readonly { readonly to: string; readonly external: boolean }[] }
  /** The users who may complete identity challenges for the account. */
  readonly challengeDelegates: readonly string[]
  /** The account's differences from the tenant. */
  readonly featureOverrides: readonly FeatureOverride<'on' | 'off'>[]
}

/** The settings that an update of an account may change. */
export interface SettingsChange {
  readonly vip?: boolean
  /** `default` removes the override. */
  readonly featureOverrides?: readonly FeatureOverride<'on' | 'off' | 'default'>[]
  readonly challengeDelegates?: { readonly add?: readonly string[]; readonly remove?: readonly string[] }
}

/** Returns the account with changed settings. Settings that the change does not name stay. */
export function withSettings(account: Account, { vip, featureOverrides = [], challengeDelegates }: SettingsChange): Account {
  const untouched = account.featureOverrides.filter(({ feature }) => !featureOverrides.some((wanted) => wanted.feature === feature))
  const wanted = featureOverrides.flatMap(({ feature, state }) => (state === 'default' ? [] : [{ feature, state }]))
  const delegates = new Set([...account.challengeDelegates, ...(challengeDelegates?.add ?? [])])
  for (const email of challengeDelegates?.remove ?? []) delegates.delete(email)
  return { ...account, vip: vip ?? account.vip, featureOverrides: [...untouched, ...wanted], challengeDelegates: [...delegates] }
}

/** Returns the part of a message that listings show. */
export function messageSummary(message: Message): object {
  const { id, subject, status, sender, recipients, receivedAt, sensitive } = message
  return { id, name: subject, status, subject, sender, recipients, receivedAt, sensitive }
}

/** Returns a message with its headers and the requested parts. */
export function messageDetail(message: Message, parts: readonly string[], issue: Issue | null): object {
  const { headers, authentication, text, attachments, links, mailbox } = message
  const all: Readonly<Record<string, unknown>> = {
    content: { text },
    attachments,
    links,
    mailbox,
    issue: issue && { id: issue.id, name: issue.name, status: issue.status },
  }
  return { ...messageSummary(message), headers, authentication, ...Object.fromEntries(parts.map((part) => [part, all[part]])) }
}
