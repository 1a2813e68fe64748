import Type from 'typebox'
import { codePattern } from '../../../domain/index.ts'

/** What makes an organization or a provider. */
export const CodeAndNameSchema = Type.Object(
  {
    code: Type.String({
      pattern: codePattern,
      description: 'Letters, digits, _ - and ., beginning with a letter or digit; at most 64. Never changes; unique without regard to case.',
    }),
    name: Type.String({ format: 'line', maxLength: 200 }),
  },
  { additionalProperties: false },
)
