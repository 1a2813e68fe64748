import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DecisionView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { decisionPath } from '../api/queries.ts'
import { Refused } from '../api/refused.ts'
import type { Answer } from './answer.ts'

/** What became of one answer: the decision after it, or why it was refused. */
export type Outcome = { readonly answered: DecisionView } | { readonly refused: Refused['problem'] }

/** Several answers that are being sent, one after the other, and their results. */
export interface AnsweringTogether {
  /** Sends the answer to each decision. Continues if one of them refuses it. Stops if Tocsin does not answer. */
  send(decisions: readonly DecisionView[], answer: Answer): Promise<void>
  readonly isPending: boolean
  /** By the decision's id. */
  readonly outcomes: ReadonlyMap<string, Outcome>
}

export function useAnswerTogether(): AnsweringTogether {
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isPending, setPending] = useState(false)
  const send: AnsweringTogether['send'] = async (decisions, answer) => {
    setPending(true)
    for (const { id } of decisions) {
      const outcome = await answerOne(id, answer)
      setOutcomes((before) => new Map(before).set(id, outcome))
      if ('refused' in outcome && outcome.refused.status === 0) break
    }
    setPending(false)
    await queries.invalidateQueries()
  }
  return { send, isPending, outcomes }
}

async function answerOne(id: string, answer: Answer): Promise<Outcome> {
  try {
    return { answered: await ask<DecisionView>('POST', decisionPath(id), answer) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.problem }
    throw error
  }
}
