import { Badge, UnstyledButton } from '@mantine/core'
import type { JSX, Ref } from 'react'
import type { RunStepView } from '../../runtime/api/index.ts'
import { Foreign } from '../shared/foreign.tsx'
import { When } from '../shared/time/time.tsx'
import { StepState } from './step-state.tsx'
import { reasonsOf } from './words.ts'

/** Deeper steps are indented no further. */
const deepest = 8

interface StepRowProps {
  readonly step: RunStepView
  readonly chosen: boolean
  readonly onChoose: (address: string) => void
  readonly ref: Ref<HTMLButtonElement>
}

/** A step in the timeline. */
export function StepRow({ step, chosen, onChoose, ref }: StepRowProps): JSX.Element {
  const parts = step.address.split('/')
  const depth = Math.min(parts.length - 1, deepest)
  const what = step.skill ?? step.kind
  const [line = ''] = step.error ? [`${step.error.code}: ${step.error.message}`] : reasonsOf(step)
  return (
    <UnstyledButton
      ref={ref}
      className={chosen ? 'run-row chosen' : 'run-row'}
      style={{ paddingInlineStart: `${0.6 + depth * 0.9}rem` }}
      aria-current={chosen ? 'step' : undefined}
      onClick={() => onChoose(step.address)}
    >
      <span className="run-row-line">
        <span className="run-row-name">
          <strong>
            <Foreign value={nameOf(parts)} />
          </strong>{' '}
          <span className="quiet">
            <Foreign value={step.target === null ? what : `${what} on ${step.target}`} />
          </span>
        </span>
        {step.iterations !== null && <Badge color="gray">{step.iterations.toLocaleString('en')}×</Badge>}
        {step.alike > 0 && <Badge color="gray">and {step.alike} alike</Badge>}
        <StepState step={step} />
      </span>
      <span className="run-row-line quiet">
        <span className="run-row-name">
          <Foreign value={line} />
        </span>
        {step.began_at !== null && <When at={step.began_at} />}
      </span>
    </UnstyledButton>
  )
}

/** Returns the id of a step with its iterations, counted from 1: `suspend #3`. */
function nameOf(parts: readonly string[]): string {
  const own = parts.at(-1) ?? ''
  if (/^\d+$/.test(own)) return `poll ${Number(own) + 1}`
  const iteration = parts.findLast((part) => /^\d+$/.test(part))
  return iteration === undefined ? own : `${own} #${Number(iteration) + 1}`
}
