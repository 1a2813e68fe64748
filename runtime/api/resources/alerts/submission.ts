import { type Static, Type } from '../../../schema/index.ts'
import { maxMillis } from '../../limits.ts'

const fields = {
  alert_content: Type.String({ format: 'text', description: 'The content of the alert: any text. Send JSON as text.' }),
  alert_provider: Type.String({ format: 'line', maxLength: 256, description: 'A provider code, in any case.' }),
  organization_code: Type.String({ format: 'line', maxLength: 256 }),
  alert_type: Type.Optional(
    Type.String({ format: 'line', maxLength: 200, description: 'Decides the playbook. Absent: the alert is stored and not investigated.' }),
  ),
  created_at_source: Type.Optional(
    Type.Integer({ minimum: -maxMillis, maximum: maxMillis, format: 'int64', description: 'Epoch milliseconds at the source.' }),
  ),
}

/** The body that creates an alert (specification 2.1). */
export const SubmissionSchema = Type.Object(fields, {
  additionalProperties: false,
  description: 'An alert to be created (specification 2.1).',
  examples: [
    {
      alert_content: '{"title": "Reported phishing", "message": {"from": "billing@example.net", "to": "ana@example.com"}}',
      alert_provider: 'mailgate',
      organization_code: 'ACME',
      alert_type: 'phishing_reported',
      created_at_source: 1_760_000_000_000,
    },
  ],
})

export const BatchItemSchema = Type.Object(
  { ...fields, idempotency_key: Type.Optional(Type.String({ description: '1 to 255 printable ASCII characters.' })) },
  { additionalProperties: false },
)

export type Submission = Static<typeof SubmissionSchema>
