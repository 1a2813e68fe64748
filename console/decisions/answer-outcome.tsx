import type { JSX } from 'react'
import { ProblemNote } from '../shared/problem.tsx'
import type { Answering } from './use-answer.ts'

/** The progress and result of an answer. It stays when the decision is closed: other decisions of the quota may still be answered. */
export function AnswerOutcome({ answering: { isPending, error, progress, others } }: { readonly answering: Answering }): JSX.Element {
  const refused = [...(others?.refused ?? [])].map(([code, times]) => `${times} not answered (${code})`)
  return (
    <>
      {isPending && progress && (
        <p role="status">
          <progress value={progress.done} max={progress.all} /> {progress.done} of {progress.all} other decisions answered. Keep this page open until
          all are answered.
        </p>
      )}
      {others && <p role="status">Other decisions for this quota: {[`${others.answered} answered`, ...refused].join(', ')}.</p>}
      {error && <ProblemNote error={error} />}
    </>
  )
}
