import type { IssueStory } from '../../simulators/mailsec/index.ts'
import { acmePeople, harborPeople } from './people.ts'

/** A mail that people report, and what e-mail security knows about it. */
export interface Mail {
  readonly subject: string
  readonly sender: string
  readonly url: string
  /** `unknown`: e-mail security has no issue about it. */
  readonly kind: 'malicious' | 'unclear' | 'benign' | 'unknown'
}

const mail = (kind: Mail['kind'], subject: string, sender: string, url: string): Mail => ({ kind, subject, sender, url })

export const acmeMail: readonly Mail[] = [
  mail('malicious', 'Contract awaiting your signature', 'sign@acme-contracts.example', 'https://acme-contracts.example/sign'),
  mail('malicious', 'Your mailbox is almost full', 'it-desk@acme-mail.example', 'https://acme-mail.example/quota'),
  mail('malicious', 'Bonus list 2026', 'hr@acme-people.example', 'https://acme-people.example/bonus.xlsm'),
  mail('malicious', 'Parcel 7741 could not be delivered', 'track@parcel-desk.example', 'https://parcel-desk.example/7741'),
  mail('unclear', 'Invoice 40113 from Brightline', 'billing@brightline.example', 'https://brightline.example/40113'),
  mail('unclear', 'Office seating survey', 'survey@formbox.example', 'https://formbox.example/s/881'),
  mail('benign', 'Product news for November', 'news@toolshed.example', 'https://toolshed.example/news'),
  mail('benign', 'Webinar: zero trust in practice', 'events@secure-talks.example', 'https://secure-talks.example/zt'),
  mail('benign', 'Your expense report was approved', 'noreply@expenses.example', 'https://expenses.example/r/5521'),
  mail('unknown', 'Hello from a new supplier', 'sales@northpaper.example', 'https://northpaper.example'),
  mail('unknown', 'Quick question', 'd.smith@freemail.example', 'https://freemail.example'),
]

export const harborMail: readonly Mail[] = [
  mail('malicious', 'Updated bank details of a supplier', 'accounts@harbor-supply.example', 'https://harbor-supply.example/iban'),
  mail('malicious', 'Missed call: voice message 0:42', 'voice@harbor-voip.example', 'https://harbor-voip.example/play'),
  mail('unclear', 'Payment reminder 3 of 3', 'dunning@collect-it.example', 'https://collect-it.example/3'),
  mail('benign', 'Market commentary, week 47', 'research@rates-weekly.example', 'https://rates-weekly.example/47'),
  mail('benign', 'Your visitor has arrived', 'desk@lobby.example', 'https://lobby.example/v/12'),
  mail('unknown', 'Re: the documents', 'j.miller@freemail.example', 'https://freemail.example/x'),
]

/** Reported once, at the end of the week. */
export const lateMail: Mail = mail('malicious', 'Wire transfer form for today', 'cfo@harbor-group.example', 'https://harbor-group.example/form')

function issueOf({ subject, sender, url, kind }: Mail, recipients: readonly string[]): IssueStory {
  const verdict = kind === 'malicious' ? 'malicious' : 'clean'
  return {
    name: `User reported: ${subject}`,
    severity: kind === 'malicious' ? 'high' : 'low',
    detection: kind === 'malicious' ? 'credential_phishing' : 'user_report',
    classification: kind === 'benign' ? 'benign' : null,
    remediationActions: [],
    messages: recipients.map((recipient) => ({ subject, sender, recipient, authentic: kind !== 'malicious', link: { url, verdict } })),
  }
}

function issuesOf(mails: readonly Mail[], people: readonly string[]): readonly IssueStory[] {
  return mails.flatMap((one, index) => {
    if (one.kind === 'unknown') return []
    const recipients = [0, 3, 5].map((step) => people[(index * 2 + step) % people.length] ?? '')
    return [issueOf(one, one.kind === 'malicious' ? recipients : recipients.slice(0, 1))]
  })
}

export const acmeIssues = issuesOf(acmeMail, acmePeople)
export const harborIssues = issuesOf([...harborMail, lateMail], harborPeople)
