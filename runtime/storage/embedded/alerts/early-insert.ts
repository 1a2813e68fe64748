import type { AlertStore, InsertedAlert } from '../../port/index.ts'

/** An insert, as it was executed and as it was committed. `executed` may never settle. */
export interface InsertAnswer {
  readonly executed: Promise<readonly InsertedAlert[]>
  readonly committed: Promise<readonly InsertedAlert[]>
}

/** An insert of more alerts than this tells nothing before its commit: the message takes longer to copy, and the runs gain little. */
const mostTold = 8

/**
 * Returns an `insert` that tells what it has executed before its commit. So the process prepares the runs of the alerts while the disk writes. Every
 * later call to the writer comes after the commit. If the commit fails, such a call does not find the alerts.
 * @param insert inserts without waiting for the commit
 */
export function tellBeforeCommit(
  alerts: Pick<AlertStore, 'insert'>,
  insert: (...parameters: Parameters<AlertStore['insert']>) => InsertAnswer,
): AlertStore['insert'] {
  return (scope, batch, executed) => {
    if (!executed || batch.length > mostTold) return alerts.insert(scope, batch)
    const answer = insert(scope, batch)
    // Without a catch: it does not reject.
    void answer.executed.then(executed)
    return answer.committed
  }
}
