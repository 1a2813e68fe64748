import type { Millis } from '../../../runtime/domain/index.ts'
import { type Random, seeded } from '../../support/seeded.ts'
import {
  browserLogin,
  crmChange,
  crmExport,
  deviceAdded,
  failedSignIns,
  firewallLine,
  malwareBlocked,
  mfaFatigue,
  oddSignIn,
  type Posted,
  phishing,
  stolenCredential,
} from './contents.ts'
import { acmeMail, harborMail, lateMail } from './issues.ts'
import { acmePeople, acmeSpecial, firstDevice, harborPeople, harborSpecial } from './people.ts'

export const minute: Millis = 60_000
const hour: Millis = 60 * minute
export const day: Millis = 24 * hour

/** The two analysts of the demo. */
export type Analyst = 'priya' | 'jonas'

/** What happens to a decision. `leave`: it stays open. `expire`: nobody answers in time. */
interface Reply {
  readonly verdict: 'approve' | 'decline' | 'leave' | 'expire' | 'cancel'
  readonly by: Analyst
  /** How long after the question. */
  readonly after: Millis
  readonly reason: string
}

/** Something that goes wrong in an external system while the alert is investigated. */
export type Trouble = 'mail_down_once' | 'suspend_cut'

/** One alert of the week. */
export interface Planned extends Posted {
  /** Before the end of the week. */
  readonly ago: Millis
  readonly organization: 'ACME' | 'HARBOR' | 'LUMEN'
  readonly provider: string
  readonly reply: Reply
  readonly trouble?: Trouble
  /** How long after the containment it is undone. */
  readonly undoneAfter?: Millis
}

const reasons = {
  approve: ['Confirmed with the user by phone', 'Matches the campaign of this morning', 'Clear evidence', 'User did not start these sign-ins'],
  decline: ['The user is travelling and confirmed it', 'Known test of the red team', 'Manager asked to wait for the call back'],
}

function replyOf(random: Random, weights: readonly Reply['verdict'][]): Reply {
  const verdict = weights[random(weights.length)] ?? 'approve'
  const list = verdict === 'decline' ? reasons.decline : reasons.approve
  return {
    verdict,
    by: random(3) === 0 ? 'jonas' : 'priya',
    after: (3 + random(38)) * minute + random(60) * 1_000,
    reason: list[random(list.length)] ?? '',
  }
}

const mostlyApproved: readonly Reply['verdict'][] = ['approve', 'approve', 'approve', 'approve', 'decline', 'expire']

/** Returns a time in the week before its last `quiet`: more often in working hours, and on the last day. */
function agoOf(random: Random, quiet: Millis = 90 * minute): Millis {
  for (;;) {
    const ago = quiet + random(7 * day - quiet)
    const hourOfDay = Math.floor((ago / hour + 9) % 24)
    if (random(10) < (hourOfDay < 11 ? 9 : 3)) return ago
  }
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)] as T
}

/** The ordinary alerts. There are many of each kind. */
function crowd(random: Random): readonly Planned[] {
  const times = (count: number, make: (index: number) => Omit<Planned, 'ago' | 'reply'>): readonly Planned[] =>
    Array.from({ length: count }, (_, index) => ({ ago: agoOf(random), reply: replyOf(random, mostlyApproved), ...make(index) }))
  const acme = (provider: string, posted: Posted) => ({ organization: 'ACME' as const, provider, ...posted })
  const harbor = (provider: string, posted: Posted) => ({ organization: 'HARBOR' as const, provider, ...posted })
  return [
    ...times(30, () => acme('PhishMailbox', phishing(pick(random, acmeMail), pick(random, acmePeople)))),
    ...times(15, () => harbor('PhishMailbox', phishing(pick(random, harborMail), pick(random, harborPeople)))),
    ...times(10, (index) => acme('IDP', mfaFatigue(acmePeople[index] ?? '', index % 3 === 0, random))),
    ...times(8, (index) => harbor('IDP', mfaFatigue(harborPeople[index] ?? '', index % 4 === 0, random))),
    ...times(6, () => acme('IDP', stolenCredential(pick(random, acmePeople), random(3) === 0, random))),
    ...times(4, () => harbor('IDP', stolenCredential(pick(random, harborPeople), random(3) === 0, random))),
    ...times(5, (index) => acme('IDP', deviceAdded(acmePeople[index] ?? '', null, acmePeople[index] ?? '', random))),
    ...times(5, (index) =>
      acme('BrowserGuard', browserLogin((index % 3) + 1, `${['ada.lovelace', 'grace.hopper', 'alan.turing'][index % 3]}@acme.example`)),
    ),
    ...times(4, () => acme('CRM', crmExport('ada.lovelace@acme.example', 1_000 + random(30_000), random))),
    ...times(4, (index) => acme('CRM', crmChange('grace.hopper@acme.example', ['changedpassword', 'PermSetAssign'][index % 2] ?? ''))),
    ...times(8, () => acme('IDP', oddSignIn(pick(random, acmePeople), random))),
    ...times(6, () => harbor('EDR', malwareBlocked(pick(random, harborPeople), random))),
    ...times(7, () => acme('EDR', malwareBlocked(pick(random, acmePeople), random))),
    ...times(60, () => acme('Firewall', firewallLine(random))),
    ...times(36, () => harbor('Firewall', firewallLine(random))),
  ]
}

/** Bursts of one rule: the first alert is investigated, the others are its duplicates. */
function bursts(random: Random): readonly Planned[] {
  return [2 * hour, 31 * hour, 55 * hour, 100 * hour].flatMap((beginning, number) => {
    const [user = '', address] = [acmePeople[number * 3], `203.0.113.${20 + number}`]
    return Array.from({ length: 9 }, (_, index) => ({
      ago: beginning - index * 5 * minute - random(60) * 1_000,
      organization: 'ACME' as const,
      provider: 'IDP',
      reply: replyOf(random, ['approve']),
      ...failedSignIns(user, 12 + number * 25 + index * 4, address),
    }))
  })
}

/** The alerts that show something special. */
function special(random: Random): readonly Planned[] {
  const approve = (by: Analyst, after: Millis, reason: string): Reply => ({ verdict: 'approve', by, after, reason })
  const leave: Reply = { verdict: 'leave', by: 'priya', after: 0, reason: '' }
  const alan = 'alan.turing@acme.example'
  return [
    // A containment that somebody undid: the user was on the phone with support.
    {
      ago: 26 * hour,
      organization: 'ACME',
      provider: 'IDP',
      ...mfaFatigue(alan, true, random),
      reply: approve('jonas', 4 * minute, 'Nine pushes in four minutes'),
      undoneAfter: 95 * minute,
    },
    // A suspension whose answer was lost, while the MFA provider could not say whether it had happened.
    {
      ago: 50 * minute,
      organization: 'HARBOR',
      provider: 'IDP',
      ...mfaFatigue(harborSpecial.doubt, true, random),
      reply: approve('priya', 6 * minute, 'Confirmed with the user by phone'),
      trouble: 'suspend_cut',
    },
    // E-mail security was down for a moment: the automatic retry succeeded.
    {
      ago: 50 * hour,
      organization: 'HARBOR',
      provider: 'PhishMailbox',
      ...phishing(harborMail[3] as (typeof harborMail)[0], 'omar.haddad@harbor.example'),
      reply: leave,
      trouble: 'mail_down_once',
    },
    // The connection of Lumen was refused.
    ...[80 * hour, 29 * hour, 3 * hour, 9 * minute].map((ago) => ({
      ago,
      organization: 'LUMEN' as const,
      provider: 'PhishMailbox',
      ...phishing(harborMail[4] as (typeof harborMail)[0], 'reception@lumen.example'),
      reply: leave,
    })),
    // An investigation that an analyst cancelled.
    {
      ago: 70 * hour,
      organization: 'ACME',
      provider: 'IDP',
      ...mfaFatigue(acmeSpecial.cancelled, true, random),
      reply: { verdict: 'cancel', by: 'jonas', after: 9 * minute, reason: 'Red team exercise' },
    },
    // A stranger's phone at an employee's MFA: removed after approval.
    {
      ago: 9 * hour,
      organization: 'ACME',
      provider: 'IDP',
      ...deviceAdded('katherine.johnson@acme.example', firstDevice, 'helpdesk-temp@acme.example', random),
      reply: approve('priya', 11 * minute, 'Katherine has no such phone'),
    },
    // Questions that still wait.
    { ago: 31 * minute, organization: 'ACME', provider: 'IDP', ...mfaFatigue(acmeSpecial.waiting, true, random), reply: leave },
    {
      ago: 14 * minute,
      organization: 'HARBOR',
      provider: 'PhishMailbox',
      ...phishing(lateMail, 'chloe.dubois@harbor.example'),
      reply: leave,
    },
    { ago: 6 * minute, organization: 'ACME', provider: 'IDP', ...stolenCredential(acmeSpecial.stolen, true, random), reply: leave },
    // The newest alerts.
    {
      ago: 4 * minute,
      organization: 'ACME',
      provider: 'PhishMailbox',
      ...phishing(acmeMail[9] as (typeof acmeMail)[0], 'tony.hoare@acme.example'),
      reply: leave,
    },
    { ago: 2 * minute, organization: 'HARBOR', provider: 'EDR', ...malwareBlocked('victor.ionescu@harbor.example', random), reply: leave },
  ]
}

/** Returns the alerts of the week, oldest first: the same in every demo. */
export function weekOfAlerts(): readonly Planned[] {
  const random = seeded(20_261_123)
  return [...crowd(random), ...bursts(random), ...special(random)].toSorted((a, b) => b.ago - a.ago)
}

/** Returns when the week that ends at `end` begins. Leaves time for the setup before the first alert. */
export function beginningOf(end: Millis): Millis {
  return end - 7 * day - hour
}
