/** The grammar of playbooks as a JSON Schema, with the types of documents that fit it. */

import { type Check, compileCheck } from '../../yaml/index.ts'
import { type PlaybookDocument, playbook } from './document.ts'
import { type InputDocument, input, itemsSchema } from './inputs.ts'
import { stepSchema, stepsSchema } from './steps.ts'

export type { PlaybookDocument, SlotDocument } from './document.ts'
export type { InputDocument, InputShape } from './inputs.ts'
export { intoNested, kindOf, nestedLists, ownLists, ownValues } from './step-parts.ts'
export * from './steps.ts'

/** The JSON Schema (2020-12) of a playbook. `schemas/playbook.schema.json` adds the names of the shipped plugins. */
export const playbookSchema: object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...playbook,
  $defs: { steps: stepsSchema, step: stepSchema, items: itemsSchema },
}

export const checkPlaybook: Check<PlaybookDocument> = compileCheck<PlaybookDocument>(playbookSchema)

/** Checks a single input. The playbook as a whole need not fit. */
export const checkInput: Check<InputDocument> = compileCheck<InputDocument>({ ...input, $defs: { items: itemsSchema } })
