import { Badge } from '@mantine/core'
import type { JSX } from 'react'
import type { RunStepView } from '../../runtime/api/index.ts'
import { stateWords } from '../graph/words.ts'

const colours: Readonly<Record<RunStepView['state'], string>> = {
  done: 'teal',
  failed: 'red',
  skipped: 'gray',
  waiting: 'grape',
  under_way: 'harbour',
  in_doubt: 'orange',
  interrupted: 'gray',
}

/** The state of a step. */
export function StepState({ step: { state, handled, tries } }: { readonly step: RunStepView }): JSX.Element {
  const often = tries > 1 ? `, ${tries} tries` : ''
  return (
    <Badge color={colours[state]}>
      {stateWords[state]}
      {handled ? ', handled' : ''}
      {often}
    </Badge>
  )
}
