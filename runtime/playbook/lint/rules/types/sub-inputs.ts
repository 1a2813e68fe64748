import { isObject } from '../../../../domain/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import { compilerCodes } from '../../../compile/index.ts'
import { holdsTemplate } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { subPlaybookOf, typingOf } from '../../typing/index.ts'

/** Checks templates in the inputs of sub-playbooks by their types. The compiler checks literal values. */
export const subInputs = defineRule({
  codes: {
    sub_playbook_input_invalid: compilerCodes.sub_playbook_input_invalid,
    sub_playbook_input_may_be_missing: {
      severity: 'warning',
      title: 'A required input of the sub-playbook may be missing',
      why: 'A missing value is left out, and the step fails without a required input.',
      wrong:
        "inputs: { host: { type: string, from: [content.host] } }\nsteps:\n  - id: again\n    playbook: recheck-user\n    with: { user: '{{ inputs.host }}' }",
      right:
        "inputs: { host: { type: string, from: [content.host], required: true } }\nsteps:\n  - id: again\n    playbook: recheck-user\n    with: { user: '{{ inputs.host }}' }",
    },
  },
  check(subject, report) {
    const { flow, world } = subject
    for (const [step, state] of flow.entering) {
      const { playbook, with: given } = step.value
      if (step.kind !== 'playbook' || typeof playbook !== 'string' || !isObject(given) || !state.reachable) continue
      const types = subPlaybookOf(world, playbook)
      const environment = typingOf(subject).at(step, state)
      for (const [name, value] of Object.entries(given)) {
        const needed = types?.inputs.get(name)
        if (needed === undefined || !holdsTemplate(value)) continue
        const at = [...step.path, 'with', name]
        const { type } = typing.typeOfTemplate(value, environment, world.filters())
        if (types?.required.has(name) === true && type.absence === 'maybe')
          report.at('sub_playbook_input_may_be_missing', at, `\`${playbook}\` needs \`${name}\`, and this may be missing; then the step fails`)
        const found = typing.fitOf(type, needed)
        if (found.fits === 'never') report.at('sub_playbook_input_invalid', at, `\`${name}\` ${found.misfit.message}`)
      }
    }
  },
})
