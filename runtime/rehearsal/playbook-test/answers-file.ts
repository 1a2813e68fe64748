import { TocsinError } from '../../errors/index.ts'
import { readPlaybook } from '../../playbook/index.ts'
import { compileCheck, inFileOrder, parseYaml, placeAt, validate } from '../../yaml/index.ts'
import type { Answers } from '../types.ts'
import type { World } from '../world.ts'
import { prepareAnswers } from './answers.ts'
import { type AnswerDocument, answersSchema, playbookTestSchema } from './grammar.ts'

const check = compileCheck<Readonly<Record<string, AnswerDocument | readonly AnswerDocument[]>>>({
  ...answersSchema,
  $defs: (playbookTestSchema as { readonly $defs: object }).$defs,
})

/**
 * Reads a file with answers by skill, in the form of `answers` in a test.
 *
 * @throws TocsinError `playbook_test_invalid` with line and column of every mistake;
 * `yaml_invalid`, `file_unreadable`
 */
export async function loadAnswers(world: World, file: string): Promise<Answers> {
  return answersIn(world, await readPlaybook(file), file)
}

/** Reads answers by skill from a text. @throws TocsinError `playbook_test_invalid`, `yaml_invalid` */
export function answersIn(world: World, text: string, file: string): Answers {
  const { value, locate } = parseYaml(text, file)
  const places = [...validate(check, value, locate)]
  const answers =
    places.length > 0
      ? null
      : prepareAnswers(
          value as never,
          [],
          { ...world, codes: world.lookup.codes },
          (path, message, part) => void places.push(placeAt(locate, path, message, part)),
        )
  const [first] = inFileOrder(places)
  if (!answers || first)
    throw new TocsinError('playbook_test_invalid', `${file}:${first?.line}:${first?.column}: ${first?.field}: ${first?.message}`, inFileOrder(places))
  return answers()
}
