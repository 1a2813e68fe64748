import type { FindingEntry } from '../entry.ts'

/** Text that is not what it looks like, and text that must not be where it stands. */
export const texts = {
  template_lookalike: {
    severity: 'error',
    title: 'Something looks like a template and is none',
    why: 'A template has two braces on each side and stands in quotes: `{{ inputs.user }}`. Anything else stays in the text as it is written; without quotes, one pair of braces is a mapping of YAML.',
    wrong: "- id: say\n  case: { note: 'The user is { inputs.user }' }",
    right: "- id: say\n  case: { note: 'The user is {{ inputs.user }}' }",
  },
  path_as_text: {
    severity: 'error',
    title: 'A path stands where its value is meant',
    why: 'Outside of templates and conditions a path is plain text: the skill would be called with the word `inputs.user`.',
    wrong: '- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: inputs.user }',
    right: "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }",
  },
  condition_in_value: {
    severity: 'error',
    title: 'A condition stands where a value is meant',
    why: 'Rules of json-logic are evaluated in conditions only. In a value they are data like any other, and would be handed on as they are.',
    wrong: '- id: facts\n  set: { who: { var: inputs.user } }',
    right: "- id: facts\n  set: { who: '{{ inputs.user }}' }",
  },
  template_not_rendered: {
    severity: 'error',
    title: 'A template stands where none is rendered',
    why: 'Templates are rendered in what steps hand on, write or set, in the title of the case, the verdict and the outputs. Elsewhere, and in keys, `{{ … }}` is text.',
    wrong: "inputs: { days: { type: string, default: '{{ run.now }}' } }\nsteps:\n  - id: say\n    case: { note: '{{ inputs.days }}' }",
    right: "inputs: { days: { type: string, default: unknown } }\nsteps:\n  - id: say\n    case: { note: '{{ inputs.days }}' }",
  },
  boolean_as_text: {
    severity: 'warning',
    title: 'A text stands where true or false is meant',
    why: 'In conditions every text is true, the text `false` among them. YAML 1.2 knows `true` and `false` only: `yes`, `no`, `on` and `off` are texts, as is everything in quotes.',
    wrong: '- id: facts\n  set: { contained: no }',
    right: '- id: facts\n  set: { contained: false }',
  },
  number_leading_zero: {
    severity: 'warning',
    title: 'A number begins with a zero that is lost',
    why: 'YAML 1.2 reads `0123` as the number 123. What is a name made of digits stands in quotes.',
    wrong: '- id: facts\n  set: { plant: 0123 }',
    right: "- id: facts\n  set: { plant: '0123' }",
  },
  text_cut_by_comment: {
    severity: 'warning',
    title: 'A comment cuts off what looks like the rest of a text',
    why: 'In text without quotes a `#` after a space begins a comment.',
    wrong: '- id: say\n  case:\n    note: See ticket #12 for more',
    right: "- id: say\n  case:\n    note: 'See ticket #12 for more'",
  },
  pattern_without_group: {
    severity: 'warning',
    title: "A pattern's whole match becomes the value, and begins with what only finds it",
    why: 'The value of an input is the group `value` of its pattern, else the first group, else the whole match: `user=ada` and not `ada`.',
    wrong: "inputs: { user: { type: string, from: [{ pattern: 'user=\\S+' }] } }",
    right: "inputs: { user: { type: string, from: [{ pattern: 'user=(?P<value>\\S+)' }] } }",
  },
  secret_in_playbook: {
    severity: 'error',
    title: 'A secret is written into the playbook',
    why: 'Playbooks are kept in version control, shown by the API and stored with every run. Connections keep credentials encrypted and put them onto requests themselves; nothing else needs one.',
    wrong: "- id: facts\n  set: { api_key: 'k3y-4f9a81c27d' }",
    right: '- id: facts\n  set: { system: intranet }',
  },
  query_unquoted: {
    severity: 'error',
    title: 'Text that somebody else wrote goes into a query unquoted',
    why: 'Whoever sends the alert, or the mail that it is about, could end the value and go on with a query of their own. The quoting filter of the integration keeps the text one value.',
    wrong: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user }}' }",
    right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote }}' }",
  },
  query_quoting_wrong: {
    severity: 'error',
    title: 'Text is quoted for another query language',
    why: 'Query languages have different quotes: what is harmless in one can end the value in another. So with what is encoded for a URL.',
    wrong: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | soql_quote }}' }",
    right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote }}' }",
  },
  query_quoting_undone: {
    severity: 'error',
    title: 'A filter after the quoting filter may take the quotes away',
    why: 'What quotes a text for a query comes last: whatever cuts or replaces afterwards can leave the text open again.',
    wrong: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote | slice: 0, 50 }}' }",
    right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | slice: 0, 50 | mailsec_quote }}' }",
  },
  query_quoted_twice: {
    severity: 'error',
    title: 'Quotes stand around a text that is quoted already',
    why: 'A quoting filter puts the quotes around the text itself. With a second pair the value is empty, and the text is read as part of the query.',
    wrong: '- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: \'recipient:"{{ inputs.user | mailsec_quote }}"\' }',
    right: "- id: search\n  skill: mailsec.search_mailsec_messages\n  with: { query: 'recipient:{{ inputs.user | mailsec_quote }}' }",
  },
  url_unescaped: {
    severity: 'error',
    title: 'Text that somebody else wrote goes into a URL as it is',
    why: 'A `/`, `?`, `#` or `@` in it makes another URL of it. `url_encode` keeps it one part.',
    wrong: "- id: facts\n  set: { page: 'https://wiki.example/users/{{ inputs.user }}' }\n- id: say\n  case: { note: '{{ vars.page }}' }",
    right:
      "- id: facts\n  set: { page: 'https://wiki.example/users/{{ inputs.user | url_encode }}' }\n- id: say\n  case: { note: '{{ vars.page }}' }",
  },
} as const satisfies Record<string, FindingEntry>
