import { type Json, severities } from '../../domain/index.ts'
import { type Static, Type } from '../../schema/index.ts'
import { type InputDocument, input } from './inputs.ts'
import { closed, duration, limit, named, playbookNamePattern, size, text, whole, words } from './shared.ts'
import { documentSteps } from './steps.ts'

/** An alert type has a visible character, and no control character, line separator or lone surrogate. The API refuses others, so no alert has one. */
const unsent = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff'
const invisible = '[\\p{Z}\\p{Default_Ignorable_Code_Point}]'
const alertType = Type.String({
  minLength: 1,
  maxLength: 200,
  // What is invisible, the first visible character, and the rest: in one pass, however long the text is.
  pattern: `^${invisible}*[^\\p{Z}\\p{Default_Ignorable_Code_Point}${unsent}][^${unsent}]*$`,
  'x-fault': 'must be an alert type: one line of 1 to 200 characters, at least one visible and none a control character or line separator',
})

const slot = closed(
  {
    integration: text('The integration that the slot needs a connection to.'),
    optional: Type.Optional(
      Type.Boolean({ description: 'true: the playbook also runs without the connection. connections.<slot>.bound says whether there is one.' }),
    ),
  },
  'A connection that the playbook needs.',
)
export type SlotDocument = Static<typeof slot>

/** A playbook file. */
export const playbook = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of this grammar.' }),
    playbook: Type.String({
      pattern: playbookNamePattern,
      'x-fault': 'must be 1 to 100 lower-case letters (a-z), digits, `-` and `_`, and must begin with a letter or digit',
      description: "The playbook's name.",
    }),
    alert_type: Type.Optional(
      Type.Union([alertType, Type.Array(alertType, { minItems: 1 })], {
        description: 'The alert types that it investigates, ignoring case. Absent in a sub-playbook, which other playbooks run.',
      }),
    ),
    description: Type.Optional(Type.String({ description: 'A description for people.' })),
    inputs: Type.Optional(named<InputDocument>(input, 'Typed values read from the alert, by name.')),
    outputs: Type.Optional(named<Json>({}, 'The values for the playbook that runs it as a sub-playbook, by name. Rendered after the last step.')),
    connections: Type.Optional(named<SlotDocument>(slot, 'Slots, by name. An integration that has no slot here gets one with its own name.')),
    limits: Type.Optional(
      closed(
        {
          time: Type.Optional(limit('The longest time of a run.')),
          steps: Type.Optional(whole(1, 100_000, 'The most steps in one run. Steps in loops count each time. If absent: 1000.')),
          concurrency: Type.Optional(whole(1, 1_000, 'The most runs of this playbook that one process executes at the same time.')),
          output: Type.Optional(size('The largest output of one step. If absent: 5MiB.')),
          evaluation: Type.Optional(
            whole(1_000, 2_000_000_000, 'The most units of work for all conditions and templates of a run together. If absent: 200000000.'),
          ),
          impact: Type.Optional(
            closed(
              {
                high: Type.Optional(whole(0, 100_000, 'The most calls of skills with impact `high`.')),
                write: Type.Optional(whole(0, 100_000, 'The most calls of skills with impact `write`. Calls with impact `high` are not included.')),
                targets: Type.Optional(whole(0, 100_000, 'The most different targets of those calls.')),
              },
              'The most that a run may change. A call beyond it is not sent, and the run fails.',
            ),
          ),
        },
        'The limits of a run.',
      ),
    ),
    case: Type.Optional(
      closed(
        {
          title: Type.Optional(text("The case's title. It may read alert, inputs and organization.")),
          severity: Type.Optional(words(severities, 'The severity of a new case.')),
          join: Type.Optional(
            closed(
              {
                key: text('The join key. Alerts with the same key share a case. It may read alert, inputs and organization.'),
                within: duration('How long after its last change an open case accepts more alerts.'),
              },
              'Continues an open case of the organization with the same key instead of opening a new one.',
            ),
          ),
        },
        'The case that a run opens.',
      ),
    ),
    duplicates: Type.Optional(
      closed(
        {
          fingerprint: text('The fingerprint. Alerts with the same fingerprint are duplicates. It may read alert, inputs and organization.'),
          within: duration(
            'How long after the first alert a later one with the same fingerprint is its duplicate. Duplicates do not extend this time.',
          ),
        },
        'Says which alerts are duplicates. A duplicate is kept, but not investigated. It points to the first alert and ends with it.',
      ),
    ),
    steps: documentSteps,
    verdict: Type.Optional(closed({ summary: text('One or two sentences for people who read the case.') }, 'The conclusion of the run.')),
  },
  { additionalProperties: false, title: 'Tocsin playbook' },
)
export type PlaybookDocument = Static<typeof playbook>
