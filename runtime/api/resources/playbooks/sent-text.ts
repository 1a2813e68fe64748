import { Type } from '../../../schema/index.ts'
import { maxPlaybookLength } from '../../limits.ts'

/** A playbook's text in a request. */
export const Text = Type.String({ format: 'text', minLength: 1, maxLength: maxPlaybookLength, description: 'The YAML of the playbook.' })

export const OrganizationOfText = Type.Optional(
  Type.String({ maxLength: 256, description: 'Organization code: use its sub-playbooks and connections. Absent: only shared sub-playbooks.' }),
)
