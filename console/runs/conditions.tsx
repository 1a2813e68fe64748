import { Text } from '@mantine/core'
import type { JSX } from 'react'
import type { RunStepView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { valueText, whyText } from './words.ts'

type Why = RunStepView['why'][number]

const names: Readonly<Record<Why['of'], string>> = {
  if: 'Whether it runs',
  test: 'Which branch runs',
  case: 'Case',
  until: 'Whether the wait ends',
  items: 'Items',
  time: 'How long it waits',
  join: 'How the branches ended',
  left_out: 'Why it was skipped',
}

/** What decided about a step: each condition in one line, and below it each of its parts with the values that it compared. */
export function Conditions({ why }: { readonly why: readonly Why[] }): JSX.Element | null {
  if (why.length === 0) return null
  return (
    <div>
      {why.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the reasons have a fixed order
        <div key={at}>
          <Text size="sm">
            <strong>{names[one.of]}:</strong> <Foreign value={whyText(one)} />
          </Text>
          {one.parts.length > 1 && (
            <ul className="run-parts">
              {one.parts.map((part, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the parts have a fixed order
                <li key={index} style={{ marginInlineStart: `${part.depth * 1.1}rem` }}>
                  <code>
                    <Foreign value={part.rule} />
                  </code>{' '}
                  <strong>{resultOf(part)}</strong>
                  {part.read.map(({ path, value }) => (
                    <span key={path} className="quiet">
                      {' '}
                      <Foreign value={`${path} = ${value === null ? 'missing' : valueText(value)}`} />
                    </span>
                  ))}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </div>
  )
}

function resultOf({ looked, holds, error, items }: Why['parts'][number]): string {
  if (!looked) return 'not evaluated'
  if (items !== null) return items === 1 ? '1 item' : `${items} items`
  return holds === null ? (error ?? 'no result') : holds ? 'true' : 'false'
}
