import type { Json } from '../../domain/index.ts'
import { type TextFormatName, textFormatNames } from '../../formats/index.ts'
import { type Static, Type } from '../../schema/index.ts'
import { closed, templated, text, words } from './shared.ts'

/** The type, format and allowed values of an input, or of its items. */
export interface InputShape {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly format?: TextFormatName
  readonly enum?: readonly Json[]
  readonly items?: InputShape
}

const types = words(['string', 'integer', 'number', 'boolean', 'array', 'object'], 'The type of the value.')
const format = words(textFormatNames, 'The format of a string.')
const values = Type.Array(Type.Unsafe<Json>({}), { minItems: 1, description: 'The allowed values.' })
const items = Type.Unsafe<InputShape>({ $ref: '#/$defs/items', description: 'The type of each item in a list.' })

/** The definition `#/$defs/items`. */
export const itemsSchema = closed(
  { type: Type.Optional(types), format: Type.Optional(format), enum: Type.Optional(values), items: Type.Optional(items) },
  'The type of each item in a list.',
)

const contentPath = Type.String({
  pattern: '^content(\\.[^.\\s]+)+$',
  'x-fault': 'must be a path into the JSON content, such as content.user.email',
  description: 'A path into the JSON content. Items of lists are named by their index.',
})
const contentPattern = closed(
  { pattern: text('RE2; its group `value`, else its first group, else the whole match is the value.') },
  'A pattern over the text of the content.',
)

export const input = closed(
  {
    type: types,
    format: Type.Optional(format),
    enum: Type.Optional(values),
    items: Type.Optional(items),
    description: Type.Optional(text('A description for people.')),
    default: Type.Optional(templated('The value if none is found. Templates in it are not rendered.')),
    required: Type.Optional(Type.Boolean({ description: 'true: the run fails if no value is found.' })),
    unfit: Type.Optional(
      words(
        ['error', 'missing'],
        'What happens if a value does not fit. error (the default): the run fails. missing: the value counts as not found.',
      ),
    ),
    from: Type.Optional(
      Type.Array(Type.Union([contentPath, contentPattern]), {
        minItems: 1,
        description: 'The places to look at in the alert. The first value that fits is used.',
      }),
    ),
  },
  'A typed value from the alert.',
)
export type InputDocument = Static<typeof input>
