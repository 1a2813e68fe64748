import { hash } from 'node:crypto'
import type { Case } from './cases/cases.ts'
import { seedDetections } from './detections/seed-detections.ts'
import type { IssueStory, MessageStory } from './issues/issue-story.ts'
import type { Account, Issue, Message } from './issues/records.ts'
import { told } from './issues/story.ts'
import type { Seed } from './state.ts'

/**
 * Makes an id like those of the v1 API: opaque, with characters that must be encoded in a path
 * (`iss.1.<base64>`).
 */
function idOf(kind: 'iss' | 'msg', name: string): string {
  return `${kind}.1.${hash('sha256', name, 'buffer').subarray(0, 10).toString('base64')}`
}

/** Returns the beta API's id of an issue's case, a UUID (specification 2.6). */
export function caseIdOf(issue: string): string {
  const hex = hash('sha256', `case of ${issue}`, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function caseOf({ id, name, severity, entityType, detection, messageCount, createdAt, updatedAt }: Issue): Case {
  const told = { name, status: 'open', severity, entityType, detection, remediation: 'none', issueId: id }
  return { id: caseIdOf(id), ...told, messageCount, createdAt, updatedAt }
}

const day = Date.UTC(2026, 8, 1)

function minutes(count: number): string {
  return new Date(day + count * 60_000).toISOString()
}

function messageOf(story: MessageStory, issue: string | null, number: number): Message {
  const result = story.authentic ? 'pass' : 'fail'
  const receivedAt = minutes(number * 7)
  return {
    id: idOf('msg', `${story.subject} ${number}`),
    issue,
    subject: story.subject,
    status: 'delivered',
    sender: story.sender,
    recipients: [story.recipient],
    receivedAt,
    headers: {
      from: story.sender,
      to: story.recipient,
      subject: story.subject,
      date: receivedAt,
      'message-id': `<${number}.${hash('sha256', story.subject, 'hex').slice(0, 12)}@${story.sender.split('@')[1]}>`,
      'authentication-results': `mx.acme.example; spf=${result}; dkim=${result}; dmarc=${result}`,
    },
    authentication: { spf: result, dkim: result, dmarc: result },
    text: `${story.subject}\n\nPlease open ${story.link.url}`,
    attachments: [],
    links: [story.link],
    mailbox: { account: story.recipient, folder: 'inbox', read: number % 2 === 0 },
    sensitive: false,
  }
}

function background(number: number): IssueStory {
  const team = ['finance', 'sales', 'legal', 'support'][number % 4]
  return {
    name: `Suspicious message to ${team} (${number})`,
    severity: number % 10 === 0 ? 'medium' : 'low',
    detection: number % 3 === 0 ? 'graymail' : 'suspicious_link',
    classification: null,
    remediationActions: [],
    messages: Array.from({ length: 1 + (number % 3) }, (_, at) => ({
      subject: `Offer ${number}.${at}`,
      sender: `offers${number}@shop.example`,
      recipient: `${team}@acme.example`,
      authentic: true,
      link: { url: `https://shop.example/offer/${number}`, verdict: 'clean' },
    })),
  }
}

/** Returns the same tenant every time: the issues of the story, those of `more`, then `count` ordinary ones, newest last. */
export function seedOf(count: number, more: readonly IssueStory[] = []): Seed {
  const issues: Issue[] = []
  const messages: Message[] = []
  for (const [number, story] of [...told, ...more, ...Array.from({ length: count }, (_, at) => background(at + 1))].entries()) {
    const id = idOf('iss', story.name)
    const { name, severity, detection, classification, remediationActions } = story
    issues.push({
      id,
      name,
      status: 'open',
      severity,
      entityType: 'message',
      detection,
      classification,
      assignee: null,
      snoozedUntil: null,
      remediationActions,
      messageCount: story.messages.length,
      createdAt: minutes(number * 10),
      updatedAt: minutes(number * 10),
    })
    for (const message of story.messages) messages.push(messageOf(message, id, messages.length + 1))
  }
  messages.push(messageOf(unlinked, null, messages.length + 1))
  const detections = seedDetections(issues)
  return { issues, messages, accounts: people.map(accountOf), cases: issues.map(caseOf), detections, domains: ['acme.example', 'acme-labs.example'] }
}

/** A message without an issue. Only a content admin may read it. */
const unlinked: MessageStory = {
  subject: 'Board minutes',
  sender: 'chair@acme.example',
  recipient: 'ceo@acme.example',
  authentic: true,
  link: { url: 'https://files.acme.example/minutes', verdict: 'clean' },
}

const people = ['ada.lovelace', 'grace.hopper', 'alan.turing', 'mary.jackson']

function accountOf(person: string, at: number): Account {
  const name = person.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace('.', ' ')
  return {
    id: `acc-${at + 1}`,
    name,
    status: 'active',
    email: `${person}@acme.example`,
    role: at === 1 ? 'issue_responder' : 'user',
    licensed: true,
    vip: at === 0,
    posture: { mfaEnrolled: at !== 2, lastSignInCountry: 'GB' },
    mailbox: { delegates: [], forwarding: at === 2 ? [{ to: 'archive@mail.example', external: true }] : [] },
    challengeDelegates: [],
    featureOverrides: at === 0 ? [{ feature: 'identity_challenge', state: 'on' }] : [],
  }
}
