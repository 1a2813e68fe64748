/**
 * The words of the simulated platform. The specification shows `open`, `DONE`, the kinds of trusted
 * entities, the four `meta` keys and the three item keys. We chose the rest;
 * docs/reference/mailsec.md lists it as assumptions.
 */
export const issueStatuses = ['open', 'in_progress', 'snoozed', 'resolved'] as const
export const severities = ['low', 'medium', 'high', 'critical'] as const
export const entityTypes = ['message', 'account', 'file'] as const
export const classifications = ['malicious', 'suspicious', 'spam', 'benign', 'simulation'] as const
export const remediationActions = ['mark_spam', 'speed_bump', 'block', 'quarantine'] as const
export const messageParts = ['content', 'attachments', 'links', 'mailbox', 'issue'] as const
export const accountStatuses = ['active', 'suspended'] as const
export const caseStatuses = ['open', 'in_progress', 'closed'] as const
/**
 * The remediations of a case's messages, as in the vendor's older job call, but spelt differently.
 * `none` removes them.
 */
export const caseRemediations = ['none', 'mark_spam', 'speed_bump', 'block'] as const
export const rolloutStates = ['preview', 'general'] as const
export const trustedKinds = ['domain', 'email_address', 'ip_address', 'cidr_range'] as const
export type TrustedKind = (typeof trustedKinds)[number]
/** The states of a message search. The specification only shows `DONE`. */
export type SearchStatus = 'PENDING' | 'RUNNING' | 'DONE' | 'FAILED'

/** In order: each role includes those before it (specification 4.4, column Minimum role). */
export const roles = ['any_admin_role', 'issue_responder', 'analyst', 'email_content_admin', 'settings_admin', 'tenant_admin', 'super_admin'] as const
export type Role = (typeof roles)[number]

export function includes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
