import type { AlertStore, InsertedAlert } from '../../port/index.ts'

/** An insert, as it was executed and as it was committed. `executed` may never settle. */
export interface InsertAnswer {
  readonly executed: Promise<readonly InsertedAlert[]>
  readonly committed: Promise<readonly InsertedAlert[]>
}

/** An insert of more alerts than this is not answered before its commit: the message takes longer to copy, and the runs gain little. */
const mostEarly = 8

/**
 * Returns an `insert` that tells at once that it is sent. So the process prepares and claims the runs of the alerts meanwhile. The writer takes the
 * calls of a lane in order. So whatever is called then comes after the insert, mostly in the same commit. If that fails, nothing of it is stored.
 * @param insert inserts without waiting for the commit
 */
export function tellWhenSent(
  alerts: Pick<AlertStore, 'insert'>,
  insert: (...parameters: Parameters<AlertStore['insert']>) => InsertAnswer,
): AlertStore['insert'] {
  return (scope, batch, sent) => {
    if (!sent) return alerts.insert(scope, batch)
    if (batch.length > mostEarly) {
      const committed = alerts.insert(scope, batch)
      sent(committed)
      return committed
    }
    const { executed, committed } = insert(scope, batch)
    sent(Promise.race([executed, committed]))
    return committed
  }
}
