import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FetchTrialView } from '../../../../runtime/api/index.ts'
import { look } from '../../../api/ask.ts'
import { Refused } from '../../../api/refused.ts'
import { placesIn } from '../../sources/body-places.ts'
import { fetchesPath } from '../use-fetch-acts.ts'
import { bodyOf, type Draft } from './draft.ts'

/** What one attempt would bring, and with which form. */
interface Tried {
  readonly draft: Draft
  readonly trial: FetchTrialView
}

/** Tries what is in the form. The last result stays while the form is changed, because its alerts say what an item has. */
export function useTrial() {
  const [last, setLast] = useState<Tried | null>(null)
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: ({ draft, since }: { readonly draft: Draft; readonly since: number | null }) =>
      look<FetchTrialView>(`${fetchesPath}/try`, { ...bodyOf(draft), ...(since !== null && { since }) }),
    onSuccess: (trial, { draft }) => setLast({ draft, trial }),
    retry: false,
  })
  return {
    last,
    error,
    /** What the API says about fields. A trial is refused for the same reasons as the fetch itself. */
    errors: error instanceof Refused ? (error.problem.errors ?? []) : [],
    isPending,
    begin: mutate,
    /** Forgets why the last trial was refused: the form is another one now. */
    forgetError: (): void => {
      if (error) reset()
    },
    sample: sampleIn(last),
  }
}

/** What the first of the alerts has that can be read: each text and number by its place. A long one is cut off and cannot be read. */
function sampleIn(tried: Tried | null): ReadonlyMap<string, string> {
  for (const { alert_content: content } of tried?.trial.alerts ?? []) {
    const found = placesIn(content)
    if (found !== null) return found
  }
  return new Map()
}
