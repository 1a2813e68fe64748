import { isObject, type Json } from '../../../../domain/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { type CalledSkill, calledBy, type FoundString, inputSchema, type StepNode, stringsIn, withNested } from '../../document/index.ts'
import type { Subject } from '../../rule.ts'
import type { Origin } from '../../taint.ts'

/** A text that a step sends, sets or writes into the case. */
export interface Given extends FoundString {
  /** The skill that takes the text. Null if the step calls none. */
  readonly skill: CalledSkill | null
  /** The schema of the input that takes the text. */
  readonly schema: Readonly<Record<string, Json>>
  /** Whether the text is a query in the language of the skill's system. */
  readonly isQuery: boolean
}

/** Yields every text that a step sends, sets or writes into the case. */
export function* givenTexts({ flow, world }: Subject): Generator<Given> {
  for (const step of withNested(flow.steps)) {
    const skill = calledBy(step, world)
    const [given, path] = givenOf(step)
    for (const [input, value] of Object.entries(isObject(given) ? given : {})) {
      const schema = skill === null ? {} : inputSchema(skill, input)
      for (const found of stringsIn(value, [...path, input])) {
        yield { ...found, skill, schema, isQuery: skill !== null && schema['x-semantic'] === 'query' }
      }
    }
  }
}

/** Returns what a step sends, sets or writes, and its path. */
function givenOf({ kind, value, path }: StepNode): readonly [Json | undefined, DocumentPath] {
  // People follow links in the case.
  if (kind === 'case') return [value['case'], [...path, 'case']]
  if (kind === 'set') return [value['set'], [...path, 'set']]
  if (kind !== 'wait') return [value['with'], [...path, 'with']]
  const wait = isObject(value['wait']) ? value['wait'] : {}
  return [isObject(wait['poll']) ? wait['poll']['with'] : undefined, [...path, 'wait', 'poll', 'with']]
}

/** Names the author of a text, for messages. */
export const whose: Readonly<Record<Origin, string>> = {
  alert: "the alert's text",
  answer: "text from a system's answer, which anybody may have written,",
}
