import { Alert, VisuallyHidden } from '@mantine/core'
import type { JSX } from 'react'
import { Refused } from '../api/refused.ts'
import { ProblemNote } from '../shared/problem.tsx'
import type { Likewise } from './answer.ts'
import type { Answering } from './use-answer.ts'

interface OutcomeProps {
  readonly answering: Answering
  /** Whether the decision has an answer of this person. */
  readonly answered: boolean
}

/** The progress and result of an answer. It stays when the decision is closed: other decisions of the quota may still be answered. */
export function AnswerOutcome({ answering: { isPending, isSuccess, error, progress, others }, answered }: OutcomeProps): JSX.Element {
  return (
    <>
      <VisuallyHidden role="status">{isSuccess && 'Your answer is recorded.'}</VisuallyHidden>
      {isPending && progress && (
        <p role="status">
          <progress value={progress.done} max={progress.all} /> {progress.done} of {progress.all} other decisions answered. Keep this page open until
          all are answered.
        </p>
      )}
      {others && <p role="status">Other decisions for this quota: {summary(others)}</p>}
      {error &&
        (answered && error instanceof Refused && error.problem.status === 0 ? (
          <Alert color="blue" role="status" my="sm" title="Your answer has arrived">
            Only Tocsin’s reply was lost. Your answer is recorded, and you need not send it again.
          </Alert>
        ) : (
          <ProblemNote error={error} />
        ))}
    </>
  )
}

function summary({ answered, refused, lost, left }: Likewise): string {
  if (left === null) return 'Tocsin could not list them, so none is answered.'
  const parts = [`${answered} answered`, ...[...refused].map(([code, times]) => `${times} not answered (${code})`)]
  if (!lost) return `${parts.join(', ')}.`
  return `${parts.join(', ')}, 1 unknown. Tocsin did not reply to that one${left > 0 ? `, so ${left} more were not sent` : ''}.`
}
