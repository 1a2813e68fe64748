import Type from 'typebox'
import { type Json, severities } from '../../domain/index.ts'
import { type InputDocument, input } from './inputs.ts'
import { closed, duration, named, playbookNamePattern, size, text, whole, words } from './shared.ts'
import { documentSteps } from './steps.ts'

const alertType = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', 'x-fault': 'must be an alert type: a text of 1 to 200 characters' })

const slot = closed(
  {
    integration: text('The integration whose connection is needed.'),
    optional: Type.Optional(Type.Boolean({ description: 'Whether the playbook runs without it; see connections.<slot>.bound.' })),
  },
  'A connection that the playbook needs.',
)
export type SlotDocument = Type.Static<typeof slot>

/** A playbook file. */
export const playbook = Type.Object(
  {
    format: Type.Literal(1, { description: 'The version of this grammar.' }),
    playbook: Type.String({
      pattern: playbookNamePattern,
      'x-fault': 'must be lower-case letters, digits, `-` and `_`, at most 100',
      description: "The playbook's name.",
    }),
    alert_type: Type.Optional(
      Type.Union([alertType, Type.Array(alertType, { minItems: 1 })], {
        description: 'The alert types it investigates; compared without regard to case. Absent in a sub-playbook, which other playbooks run.',
      }),
    ),
    description: Type.Optional(Type.String({ description: 'What it does, for people.' })),
    inputs: Type.Optional(named<InputDocument>(input, 'Typed values read from the alert, by name.')),
    outputs: Type.Optional(named<Json>({}, 'What a playbook that runs it as a sub-playbook gets, by name; rendered after its last step.')),
    connections: Type.Optional(named<SlotDocument>(slot, 'Slots, by name. An integration that is used without one gets one of its own name.')),
    limits: Type.Optional(
      closed(
        {
          time: Type.Optional(duration('Of a whole run.')),
          steps: Type.Optional(whole(1, 100_000, 'Steps of one run, those of loops counted each time; 1000 if absent.')),
          concurrency: Type.Optional(whole(1, 1_000, 'Runs of this playbook in work at once in one process.')),
          output: Type.Optional(size("One step's output; 5MiB if absent.")),
          evaluation: Type.Optional(
            whole(1_000, 2_000_000_000, 'Units of work that all conditions and templates of a run may take together; 200000000 if absent.'),
          ),
          impact: Type.Optional(
            closed(
              {
                high: Type.Optional(whole(0, 100_000, 'Calls of skills of the impact `high`.')),
                write: Type.Optional(whole(0, 100_000, 'Calls of skills of the impact `write`; those of `high` are not among them.')),
                targets: Type.Optional(whole(0, 100_000, 'Different things that those calls act on.')),
              },
              'What a run may change at most. A call beyond it is not sent, and the run fails.',
            ),
          ),
        },
        'What a run may use.',
      ),
    ),
    case: Type.Optional(
      closed(
        {
          title: Type.Optional(text("The case's title; may read alert, inputs and organization.")),
          severity: Type.Optional(words(severities, 'What the case begins with.')),
          join: Type.Optional(
            closed(
              {
                key: text('What alerts have in common that are to be one case; may read alert, inputs and organization.'),
                within: duration('So long after its last change an open case of the key is continued.'),
              },
              'Continues an open case of the organization that has the same key, instead of opening another.',
            ),
          ),
        },
        'The case that a run opens.',
      ),
    ),
    duplicates: Type.Optional(
      closed(
        {
          fingerprint: text('What alerts have in common that repeat one another; may read alert, inputs and organization.'),
          within: duration('So long after the first alert of a fingerprint another one is its duplicate. Duplicates do not make it longer.'),
        },
        'Alerts that repeat another are not investigated again: each is kept, ends with the first one and points to it.',
      ),
    ),
    steps: documentSteps,
    verdict: Type.Optional(closed({ summary: text('One or two sentences for whoever reads the case.') }, 'What the run concludes.')),
  },
  { additionalProperties: false, title: 'Tocsin playbook' },
)
export type PlaybookDocument = Type.Static<typeof playbook>
