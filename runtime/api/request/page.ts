import Type from 'typebox'

/** The parameters that every listing has. */
export const pageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: 'How many items a page has at most.' }),
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: 'The next_cursor of the previous page. Use the same filters.' })),
}
