import { expect, test } from 'vitest'
import { playbookSchema } from '../../grammar/index.ts'
import { steps } from './steps.ts'

interface Choice {
  readonly if?: { readonly required: readonly [string] }
  readonly else?: Choice
}

/** Returns the keys by which the schema chooses the kind of a step. */
function chosenBy(schema: Choice): readonly string[] {
  return schema.if && schema.else ? [schema.if.required[0], ...chosenBy(schema.else)] : []
}

test('step_kind_unknown lists the key of every kind in the grammar', () => {
  const { $defs } = playbookSchema as { readonly $defs: { readonly step: Choice } }
  const keys = chosenBy($defs.step)
  expect(keys).toContain('playbook')
  const named = [...steps.step_kind_unknown.why.matchAll(/`(\w+)`/g)].map(([, key]) => key)
  expect(named).toEqual(keys)
})
