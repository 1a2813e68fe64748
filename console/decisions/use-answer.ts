import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { decisionPath, oneDecision } from '../api/queries.ts'
import { type Answer, answerLikewise, type Likewise } from './answer.ts'

interface Given {
  readonly answer: Answer
  /** Give the same answer to the other decisions that wait for the same quota. */
  readonly likewise: boolean
}

/** An answer that is being sent, and its result. It outlives the form, which disappears when the decision is closed. */
export interface Answering {
  send(given: Given): void
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly error: Error | null
  /** How many of the other decisions are answered. Null: only this decision is answered. */
  readonly progress: { readonly done: number; readonly all: number } | null
  /** The result for the other decisions, after all were tried. */
  readonly others: Likewise | null
}

export function useAnswer(decision: DecisionView): Answering {
  const [progress, setProgress] = useState<Answering['progress']>(null)
  const queries = useQueryClient()
  const { mutate, isPending, isSuccess, error, data } = useMutation({
    mutationFn: async ({ answer, likewise }: Given): Promise<Likewise | null> => {
      const answered = await ask<DecisionView>('POST', decisionPath(decision.id), answer)
      queries.setQueryData(oneDecision(decision.id).queryKey, answered)
      return likewise ? answerLikewise(decision, answer, (done, all) => setProgress({ done, all })) : null
    },
    // Refresh even if the answer was refused: probably somebody else was quicker, and the page shows old data. Nobody waits for that: what
    // became of the answer shows at once.
    onSettled: () => void queries.invalidateQueries(),
  })
  return { send: mutate, isPending, isSuccess, error, progress, others: data ?? null }
}
