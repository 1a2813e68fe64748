import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { decisionPath, oneDecision } from '../api/queries.ts'
import { type Answer, answerLikewise, type Likewise } from './answer.ts'

interface Given {
  readonly answer: Answer
  /** The others that wait for the same quota are to be answered likewise. */
  readonly likewise: boolean
}

/** An answer on its way, and what became of it. It outlives the form, which goes when the decision is closed. */
export interface Answering {
  send(given: Given): void
  readonly isPending: boolean
  readonly error: Error | null
  /** How many of the others have been answered; null: none are to be. */
  readonly progress: { readonly done: number; readonly all: number } | null
  /** What became of the others, once all were tried. */
  readonly others: Likewise | null
}

export function useAnswer(decision: DecisionView): Answering {
  const [progress, setProgress] = useState<Answering['progress']>(null)
  const queries = useQueryClient()
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async ({ answer, likewise }: Given): Promise<Likewise | null> => {
      const answered = await ask<DecisionView>('POST', decisionPath(decision.id), answer)
      queries.setQueryData(oneDecision(decision.id).queryKey, answered)
      return likewise ? answerLikewise(decision, answer, (done, all) => setProgress({ done, all })) : null
    },
    // Also when it is refused: most likely somebody else was quicker, and what is shown is old.
    onSettled: () => queries.invalidateQueries(),
  })
  return { send: mutate, isPending, error, progress, others: data ?? null }
}
