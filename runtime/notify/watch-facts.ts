import type { Store } from '../storage/index.ts'

/** Wraps a method, and calls `happened` if its answer says that it made a fact. */
function reporting<P extends unknown[], R>(
  method: (...parameters: P) => Promise<R>,
  made: (answer: R, ...parameters: P) => boolean,
  happened: () => void,
) {
  return async (...parameters: P): Promise<R> => {
    const answer = await method(...parameters)
    if (made(answer, ...parameters)) happened()
    return answer
  }
}

/** Returns the store, wrapped so that it reports writes that webhooks may be told about. */
export function watchFacts(store: Store, happened: () => void): Store {
  const { runs, decisions } = store
  // A claim may answer before it has marked its facts.
  const claim: typeof runs.claim = async (scope, claiming) => {
    const claimed = await runs.claim(scope, claiming)
    if (claimed.kind === 'claimed' && claimed.run.epoch === 1) (claimed.opened ?? Promise.resolve()).then(happened, () => {})
    return claimed
  }
  return {
    ...store,
    runs: {
      ...runs,
      claim,
      end: reporting(runs.end, (ended, _scope, { state }) => ended === 'ended' && state === 'failed', happened),
    },
    decisions: {
      ...decisions,
      open: reporting(decisions.open, ({ revision }) => revision === 1, happened),
      revise: reporting(decisions.revise, (revised, _scope, { state }) => revised === 'revised' && state !== 'open', happened),
    },
  }
}
