import type { FindingEntry } from '../../findings/index.ts'

/** Skills and the connections they are called over. */
export const skills = {
  integration_unknown: {
    severity: 'error',
    title: 'No loaded plugin is of this integration',
    why: 'Its skills cannot be called.',
    wrong: '- id: issues\n  skill: mailsek.get_mailsec_issues',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  skill_unknown: {
    severity: 'error',
    title: 'The integration has no such skill',
    why: 'The step could not be run.',
    wrong: '- id: issues\n  skill: mailsec.get_issues',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
  },
  skill_input_unknown: {
    severity: 'error',
    title: 'The skill takes no such input',
    why: 'The call would be refused before anything is sent.',
    wrong: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { user: '{{ inputs.user }}', username: '{{ inputs.user }}' }",
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }",
  },
  skill_input_missing: {
    severity: 'error',
    title: 'The skill needs an input that is not given',
    why: 'The call would be refused before anything is sent.',
    wrong: '- id: look\n  skill: mfa.get_mfa_user_details',
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }",
  },
  retry_code_unknown: {
    severity: 'error',
    title: 'No call ends with this error code',
    why: '`retry.on` names codes of the registry and of the manifest; a misspelt one would never be met, and the step not tried again.',
    wrong: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 3, on: [rate_limit] }',
    right: '- id: issues\n  skill: mailsec.get_mailsec_issues\n  retry: { attempts: 3, on: [rate_limited] }',
  },
  slot_wrong_integration: {
    severity: 'error',
    title: "The slot is of another integration than the step's skill",
    why: 'A connection of one system cannot serve the skill of another.',
    wrong: 'connections: { idp: { integration: mfa } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    connection: idp',
    right: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    connection: mail',
  },
  slot_ambiguous: {
    severity: 'error',
    title: 'Several slots are of the integration, and the step names none',
    why: 'Which system is meant would be chance.',
    wrong:
      'connections: { office: { integration: mailsec }, plant: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
    right:
      'connections: { office: { integration: mailsec }, plant: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues\n    connection: office\n  - id: more\n    skill: mailsec.get_mailsec_issues\n    connection: plant',
  },
  slot_name_taken: {
    severity: 'error',
    title: 'The slot that the step would imply has a name that is taken',
    why: 'A skill without a declared slot uses one that is named after its integration; here that name stands for another integration.',
    wrong: 'connections: { mailsec: { integration: mfa } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
    right: 'connections: { mail: { integration: mailsec } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
  },
} as const satisfies Record<string, FindingEntry>
