import { useState } from 'react'
import type { FetchAnswer } from '../../../../runtime/api/index.ts'
import { ask } from '../../../api/ask.ts'
import { Refused } from '../../../api/refused.ts'
import { useLeaveWarning } from '../../../shared/drafts/leave-warning.ts'
import { useBegun } from '../../../shell/begun.ts'
import { useChange } from '../../use-pages.ts'
import { fetchesPath } from '../use-fetch-acts.ts'
import { bodyOf, changeOf, type Draft, draftOf, emptyDraft } from './draft.ts'

/** What the form is about: the fetch as it was when the form was opened, and what is filled in. */
interface Work {
  /** Null: a new fetch. */
  readonly standing: FetchAnswer | null
  readonly draft: Draft
}

/**
 * The state of the form of a fetch. What somebody has filled in stays while they look at another page.
 * @param opened the fetch that is changed; null: a new one
 */
export function useFetchForm(opened: FetchAnswer | null, onSaved: () => void) {
  const begun = useBegun<Work>(`fetch ${opened?.id ?? 'new'}`)
  const fresh: Work = { standing: opened, draft: beginningOf(opened) }
  const [work, setWork] = useState(() => begun.read() ?? fresh)
  const { standing, draft } = work
  useLeaveWarning(!isUntouched(work))
  const save = useChange(
    async () => {
      const answer =
        standing === null
          ? await ask<FetchAnswer>('POST', fetchesPath, bodyOf(draft))
          : await ask<FetchAnswer>('PATCH', `${fetchesPath}/${standing.id}`, changeOf(draft, standing))
      // Whoever has left the page meanwhile must not find the form again, and make a second fetch of it.
      begun.forget()
      return answer
    },
    ({ name, enabled }) =>
      `${name} is ${standing === null ? 'created' : 'changed'}. ${enabled ? 'Its next attempt begins within a second' : 'It is disabled'}`,
  )
  const become = (next: Work): void => {
    save.reset()
    if (isUntouched(next)) begun.forget()
    else begun.keep(next)
    setWork(next)
  }
  const errors = save.error instanceof Refused ? (save.error.problem.errors ?? []) : []
  return {
    standing,
    draft,
    save,
    errors,
    /** Whether somebody else was quicker. */
    overtaken: save.error instanceof Refused && save.error.problem.code === 'fetch_changed',
    changed: !isUntouched(work),
    set: (change: Partial<Draft>): void => become({ standing, draft: { ...draft, ...change } }),
    takeTheirs: (current: FetchAnswer): void => become({ standing: current, draft: draftOf(current) }),
    keepMine: (current: FetchAnswer): void => become({ standing: current, draft }),
    send: (): void => {
      if (save.isPending) return
      save.mutate(undefined, { onSuccess: onSaved })
    },
    leave: (): void => begun.forget(),
  }
}

function beginningOf(standing: FetchAnswer | null): Draft {
  return standing ? draftOf(standing) : emptyDraft
}

function isUntouched({ standing, draft }: Work): boolean {
  return JSON.stringify(draft) === JSON.stringify(beginningOf(standing))
}
