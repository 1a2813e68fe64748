import type { DecisionContext } from '../run/contexts.ts'

type DropContext = Pick<DecisionContext, 'waits' | 'journal' | 'clock'>

/**
 * Drops the questions of a part of the run that begins nothing more, such as a cancelled branch: those that are open, and
 * those that it is about to ask. Its waits for people are over. Questions about writes in doubt stay. The decisions are
 * withdrawn when the run sleeps next or ends, because by then the journal has the reason: if a process died between the
 * two, the next one would take a withdrawn approval for one that was refused.
 *
 * @param part the address of the part
 */
export function dropDecisions(execution: DropContext, part: string): void {
  execution.waits.end(part)
  recordDropped(execution)
}

/** Records the open questions that nothing needs any more. */
export function recordDropped({ waits, journal, clock }: DropContext): void {
  for (const { address, decision } of waits.needless) {
    const record = { kind: 'heard', address, decision, dropped: true, at: clock.now() } as const
    waits.note(record)
    journal.defer(record)
  }
}
