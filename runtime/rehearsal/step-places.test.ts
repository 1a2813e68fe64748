import { expect, test } from 'vitest'
import { compilePlaybook, withPlaybooks } from '../playbook/index.ts'
import { addressAt, placesAt, stepPlaces } from './step-places.ts'
import { playbookOf, world } from './testing.ts'

const sub = `format: 1
playbook: look-at
steps:
  - id: each
    foreach: [1, 2]
    steps:
      - id: look
        skill: mfa.get_mfa_user_details
        with: { username: 'ada' }
`

const text = playbookOf(`- id: both
  parallel:
    branches:
      people:
        - id: ask
          wait: { for: 1m }
      clock:
        - id: gone
          wait:
            poll: { skill: mfa.get_mfa_user_details, with: { username: '{{ inputs.user }}' } }
            every: 10m
            until: { '==': [{ var: output.status }, SUSPENDED] }
            at_most: 1h
          on_error:
            - id: late
              set: { late: true }
- id: one
  playbook: look-at
- id: choose
  switch:
    - when: { var: vars.late }
      steps:
        - id: two
          playbook: look-at
`)

async function places() {
  const { lookup } = await world
  return stepPlaces(compilePlaybook(text, 'tested.yaml', withPlaybooks(lookup, new Map([['look-at', { text: sub, file: 'look-at.yaml' }]]))))
}

test.each([
  ['gone', 'both/clock/gone'],
  ['gone/3', 'both/clock/gone'],
  ['clock/gone/0', 'both/clock/gone'],
  ['gone/on_error/late', 'both/clock/gone/on_error/late'],
  ['each/12/look', 'one/each/0/look'],
  ['one/each/0/look', 'one/each/0/look'],
  ['choose/two/each/0/look', 'one/each/0/look'],
])('%s is a place', async (name, address) => {
  expect(placesAt(name, await places()).map(addressAt)).toEqual([address])
})

test.each(['people/gone', 'ask/0', 'both/gone', 'gone/late', 'three/each/0/look', 'two/look', 'each/look', 'each/a/look', 'a/one/each/0/look', ''])(
  '%s is none',
  async (name) => {
    expect(placesAt(name, await places())).toEqual([])
  },
)
