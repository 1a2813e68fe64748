import { Type } from '../../schema/index.ts'

/** The parameters that every listing has. */
export const pageParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 50, description: 'The most items of a page.' }),
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: 'The next_cursor of the previous page. Use the same filters.' })),
}
