import type { TimelineEntryView } from '../../runtime/api/index.ts'
import { runName } from '../shared/ids/run-name.ts'

/** Formats a timeline entry as one line. Its fields depend on its kind. */
export function lineOf(entry: TimelineEntryView): string {
  const via = entry.connection === undefined ? '' : ` via ${entry.connection}`
  switch (entry.kind) {
    case 'finding':
      return `[${entry.risk ?? ''}] ${entry.title ?? ''}`
    case 'lookups':
      return (entry.calls ?? [])
        .map(({ skill, times, failed, connection }) => `${skill} × ${times}${failed > 0 ? ` (${failed} failed)` : ''} via ${connection}`)
        .join(', ')
    case 'action':
      return `${entry.skill ?? ''}${entry.target ? ` on ${entry.target}` : ''}${via}: ${entry.outcome ?? ''}`
    case 'protected':
      return `${entry.target ?? ''} from ${entry.skill ?? ''}${via}: ${entry.text ?? ''}`
    case 'change':
      return `${JSON.stringify(entry.change)}${entry.withheld === undefined ? '' : `, not set on the closed case: ${JSON.stringify(entry.withheld)}`}${entry.actor.name === undefined ? '' : ` by ${entry.actor.name}`}`
    case 'decision': {
      const by = entry.by && entry.by.length > 0 ? ` by ${entry.by.join(', ')}` : ''
      return `${entry.title ?? ''} ${entry.state ?? ''}${by}${entry.text ? `: ${entry.text}` : ''}`
    }
    case 'cancelled':
      return `by ${(entry.by ?? []).join(', ')}${entry.text ? `: ${entry.text}` : ''}`
    case 'failure':
      return `${entry.code ?? ''}: ${entry.text ?? ''}`
    case 'undo':
      return `${entry.actor.name ?? ''} requested to undo ${runName(entry.undoes ?? '')}: ${entry.text ?? ''}`
    case 'undone':
      return `${runName(entry.undoes ?? '')}, requested by ${(entry.by ?? []).join(', ')}: ${entry.text ?? ''}`
    case 'comment':
      return `${entry.actor.name ?? ''}: ${entry.text ?? ''}`
    default:
      return entry.text ?? ''
  }
}
