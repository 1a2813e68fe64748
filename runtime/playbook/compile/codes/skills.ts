import type { FindingEntry } from '../../findings/index.ts'

/** Codes about skills and their connections. */
export const skills = {
  integration_unknown: {
    severity: 'error',
    title: 'No loaded plugin has this integration',
    why: 'Its skills cannot be called.',
    wrong: '- id: issues\n  skill: mailsek.get_mailsec_issues',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  skill_unknown: {
    severity: 'error',
    title: 'The integration has no such skill',
    why: 'The step cannot run.',
    wrong: '- id: issues\n  skill: mailsec.get_issues',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  skill_input_unknown: {
    severity: 'error',
    title: 'The skill has no such input',
    why: 'The call would be refused before it is sent.',
    wrong: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { user: '{{ inputs.user }}', username: '{{ inputs.user }}' }",
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }",
  },
  skill_input_missing: {
    severity: 'error',
    title: 'A required input of the skill is missing',
    why: 'The call would be refused before it is sent.',
    wrong: '- id: look\n  skill: mfa.get_mfa_user_details',
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }",
  },
  retry_code_unknown: {
    severity: 'error',
    title: 'No call ends with this error code',
    why: "`retry.on` names error codes of Tocsin and of the plugin's manifest. A misspelt code never occurs, so the step would never be retried.",
    wrong: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 3, on: [rate_limit] }',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 3, on: [rate_limited] }',
  },
  slot_wrong_integration: {
    severity: 'error',
    title: 'The slot belongs to another integration than the skill',
    why: 'A connection to one system cannot serve the skill of another.',
    wrong: 'connections: { idp: { integration: mfa } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    connection: idp',
    right: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    connection: mail',
  },
  slot_ambiguous: {
    severity: 'error',
    title: 'Several slots fit, and the step names none',
    why: 'Tocsin cannot tell which system the step means.',
    wrong:
      'connections: { office: { integration: mailsec }, plant: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
    right:
      'connections: { office: { integration: mailsec }, plant: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    connection: office\n  - id: more\n    skill: mailsec.get_mailsec_issues\n    connection: plant',
  },
  slot_name_taken: {
    severity: 'error',
    title: 'The name of the implied slot is taken',
    why: 'A skill without a declared slot uses a slot with the name of its integration. Here, a slot of another integration has that name.',
    wrong: 'connections: { mailsec: { integration: mfa } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
    right: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
  },
} as const satisfies Record<string, FindingEntry>
