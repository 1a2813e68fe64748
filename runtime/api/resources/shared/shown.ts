import type { Json } from '../../../domain/index.ts'
import type { Shown } from '../../../retrace/index.ts'
import { type Static, Type } from '../../../schema/index.ts'

export const ShownSchema = Type.Object(
  {
    value: Type.Optional(Type.Unsafe<Json>({})),
    beginning: Type.Optional(Type.String({ description: 'The first characters of its JSON, if the value is too long for this answer.' })),
    href: Type.Optional(Type.String({ description: 'The path of the complete value, if it is cut.' })),
  },
  { description: 'A value: complete in `value`, or cut, with `beginning` and `href`.' },
)

/** @param href the path of the complete value; null if there is none */
export function shownView(shown: Shown, href: string | null): Static<typeof ShownSchema> {
  return shown.kind === 'whole' ? { value: shown.value } : { beginning: shown.beginning, ...(href !== null && { href }) }
}
