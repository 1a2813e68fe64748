import { codePattern } from '../../../domain/index.ts'
import { Type } from '../../../schema/index.ts'

/** The body that creates an organization or a provider. */
export const CodeAndNameSchema = Type.Object(
  {
    code: Type.String({
      pattern: codePattern,
      description: 'At most 64 letters, digits, _, - and ., beginning with a letter or digit. Never changes. Unique, ignoring case.',
    }),
    name: Type.String({ format: 'line', maxLength: 200 }),
  },
  { additionalProperties: false },
)
