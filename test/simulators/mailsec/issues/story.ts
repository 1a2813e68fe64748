import type { IssueStory } from './issue-story.ts'

/** The issues that the demo's alerts mention (test/demo/story/alerts). */
export const told: readonly IssueStory[] = [
  {
    name: 'User reported: Action required: confirm your payroll details',
    severity: 'high',
    detection: 'credential_phishing',
    classification: null,
    // A person has already set this. An update that forgets it would undo it.
    remediationActions: ['mark_spam'],
    messages: ['ada.lovelace', 'grace.hopper', 'alan.turing'].map((person) => ({
      subject: 'Action required: confirm your payroll details',
      sender: 'hr-payroll@acme-payroll.example',
      recipient: `${person}@acme.example`,
      authentic: false,
      link: { url: 'https://acme-payroll.example/login', verdict: 'malicious' },
    })),
  },
  {
    name: 'User reported: Your September travel digest',
    severity: 'low',
    detection: 'user_report',
    classification: 'benign',
    remediationActions: [],
    messages: [
      {
        subject: 'Your September travel digest',
        sender: 'news@contoso-travel.example',
        recipient: 'mary.jackson@acme.example',
        authentic: true,
        link: { url: 'https://contoso-travel.example/digest', verdict: 'clean' },
      },
    ],
  },
]
