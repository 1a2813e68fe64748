import type { JSX } from 'react'
import { ProblemNote } from '../shared/problem.tsx'
import type { Answering } from './use-answer.ts'

/** How far an answer has come, also when its decision is closed already: the others that wait for the quota, and what was refused. */
export function AnswerOutcome({ answering: { isPending, error, progress, others } }: { readonly answering: Answering }): JSX.Element {
  const refused = [...(others?.refused ?? [])].map(([code, times]) => `${times} not (${code})`)
  return (
    <>
      {isPending && progress && (
        <p role="status">
          <progress value={progress.done} max={progress.all} /> {progress.done} of {progress.all} others; leave this page open until all are answered
        </p>
      )}
      {others && <p role="status">Of the others that waited for this quota: {[`${others.answered} answered likewise`, ...refused].join(', ')}.</p>}
      {error && <ProblemNote error={error} />}
    </>
  )
}
