import type { Problem } from '../../runtime/api/index.ts'

/** What the API refused, with its cause and remedy; or, with the status 0, that there was no answer of it at all. */
export class Refused extends Error {
  readonly problem: Pick<Problem, 'title' | 'status' | 'detail' | 'remedy' | 'errors'> & { readonly code: string }

  constructor(problem: Refused['problem']) {
    super(problem.detail)
    this.problem = problem
  }
}

/** What to do when Tocsin cannot be reached from the browser. */
export function unreachable(reason: unknown): Refused {
  return new Refused({
    code: 'unreachable',
    status: 0,
    title: 'Tocsin does not answer',
    detail: reason instanceof Error ? reason.message : String(reason),
    remedy: 'What is shown may be old. The page asks again by itself; look whether the process runs, and whether the network lets you reach it.',
  })
}
