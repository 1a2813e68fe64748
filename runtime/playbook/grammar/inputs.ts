import Type from 'typebox'
import type { Json } from '../../domain/index.ts'
import { type TextFormatName, textFormatNames } from '../../formats/index.ts'
import { closed, templated, text, words } from './shared.ts'

/** The type, format and allowed values of an input, or of its items. */
export interface InputShape {
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  readonly format?: TextFormatName
  readonly enum?: readonly Json[]
  readonly items?: InputShape
}

const types = words(['string', 'integer', 'number', 'boolean', 'array', 'object'], 'The type of the value.')
const format = words(textFormatNames, 'What a string must look like.')
const values = Type.Array(Type.Unsafe<Json>({}), { minItems: 1, description: 'The values that are allowed.' })
const items = Type.Unsafe<InputShape>({ $ref: '#/$defs/items', description: 'What each item of a list must be.' })

/** The definition `#/$defs/items`. */
export const itemsSchema = closed(
  { type: Type.Optional(types), format: Type.Optional(format), enum: Type.Optional(values), items: Type.Optional(items) },
  'What each item of a list must be.',
)

const contentPath = Type.String({
  pattern: '^content(\\.[^.\\s]+)+$',
  'x-fault': 'must be a path into the JSON content, such as content.user.email',
  description: 'A path into the JSON content; a list is entered by index.',
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
    description: Type.Optional(text('What it is, for people.')),
    default: Type.Optional(templated('The value where none is found. Taken as it stands: no templates.')),
    required: Type.Optional(Type.Boolean({ description: 'Whether the run fails where none is found.' })),
    unfit: Type.Optional(
      words(
        ['error', 'missing'],
        'What becomes of a value that does not fit: `error` fails the run (the default), `missing` counts it as not there.',
      ),
    ),
    from: Type.Optional(
      Type.Array(Type.Union([contentPath, contentPattern]), {
        minItems: 1,
        description: 'Where to look in the alert; the first that fits is taken.',
      }),
    ),
  },
  'A typed value that is read from the alert.',
)
export type InputDocument = Type.Static<typeof input>
