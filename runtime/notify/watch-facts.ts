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
  return {
    ...store,
    runs: {
      ...runs,
      claim: reporting(runs.claim, (claimed) => claimed.kind === 'claimed' && claimed.run.epoch === 1, happened),
      end: reporting(runs.end, (ended, _scope, { state }) => ended === 'ended' && state === 'failed', happened),
    },
    decisions: {
      ...decisions,
      open: reporting(decisions.open, ({ revision }) => revision === 1, happened),
      revise: reporting(decisions.revise, (revised, _scope, { state }) => revised === 'revised' && state !== 'open', happened),
    },
  }
}
