import type { Problem } from '../../runtime/api/index.ts'

/** A request that the API refused, with its problem document. Status 0: there was no answer from the API. */
export class Refused extends Error {
  readonly problem: Pick<Problem, 'title' | 'status' | 'detail' | 'remedy' | 'errors'> & { readonly code: string }

  /** Whether nobody knows if the change was made: its answer was lost. */
  readonly inDoubt: boolean

  constructor(problem: Refused['problem'], inDoubt = false) {
    super(problem.detail)
    this.problem = problem
    this.inDoubt = inDoubt
  }
}

/** Rewords a refusal of the key. The person still sees it after signing in again, when the key is valid. */
export function sessionEnded({ problem }: Refused): Refused {
  return new Refused({
    ...problem,
    title: 'Your session had ended',
    detail: 'Your session had ended, so Tocsin did not do it.',
    remedy: 'Repeat it after you have signed in again.',
  })
}

/** Makes the error of a request that got no answer from the API. @param changing whether the request may have changed something */
export function unreachable(reason: unknown, changing: boolean): Refused {
  return new Refused(
    {
      code: 'unreachable',
      status: 0,
      title: 'Tocsin does not answer',
      // What the browser says is no plain English: "Failed to fetch".
      detail: `${changing ? 'The answer to your change was lost' : 'There was no answer'} (${reason instanceof Error ? reason.message : String(reason)}).`,
      remedy: changing
        ? 'It may have been done all the same, and it is not sent again by itself. When Tocsin answers, look at the page before you repeat it.'
        : 'The page may show old data. It tries again by itself. Check that Tocsin is running and that your network reaches it.',
    },
    changing,
  )
}
