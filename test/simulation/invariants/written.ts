import type { JournalRecord } from '../../../runtime/domain/index.ts'
import type { Life } from './evidence.ts'

type Of<K extends JournalRecord['kind']> = Extract<JournalRecord, { kind: K }>

/** One step of one run that writes, according to its journal. */
export interface Written {
  readonly life: Life
  readonly address: string
  readonly intents: readonly Of<'intent'>[]
  readonly outcome: Of<'done'> | Of<'failed'> | undefined
}
