import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Became, type LateChange, onLateChange } from '../../api/late-changes.ts'
import { me } from '../../api/me.ts'
import { Refused } from '../../api/refused.ts'
import { clockTime } from '../../shared/time/time.tsx'
import { told } from '../../shared/toasts.tsx'
import { changeOf, lostSecret } from './words.ts'

/** What the person who sent a late change reads about it. */
interface Note {
  readonly id: string
  /** Who was signed in. */
  readonly person: string | undefined
}

/** Says of each change when its answer takes long, and then what the answer is, wherever the person is by then. */
export function useLateNotes(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const notes = new Map<LateChange, Note>()
    const person = (): string | undefined => queries.getQueryData(me.queryKey)?.principal_uuid
    return onLateChange((change, became) => {
      const note = notes.get(change) ?? { id: `late ${change.path} ${change.sentAt}`, person: person() }
      notes.set(change, note)
      if (became.kind === 'unknown') void queries.invalidateQueries()
      else notes.delete(change)
      // The next person at this browser has nothing to do with it.
      if (note.person === person()) say(note.id, change, became)
    })
  }, [queries])
}

function say(id: string, { path, sentAt }: LateChange, became: Became): void {
  const sent = `${changeOf(path)}, sent at ${clockTime(sentAt)}`
  if (became.kind === 'unknown')
    told({
      id,
      color: 'orange',
      title: 'Tocsin has not answered yet',
      text: `${sent}, may or may not have gone through. The page reads everything again, to show what is so now.`,
      remedy: 'Do not send it again yet. The answer shows here when it comes. Until then, you may close the dialog and go on.',
    })
  else if (became.kind === 'made')
    told({ id, color: 'teal', title: 'The late answer has come: it went through', text: `${sent}.`, remedy: lostSecret(path) })
  else {
    const problem = became.error instanceof Refused ? became.error.problem : null
    const lost = became.error instanceof Refused && became.error.inDoubt
    told({
      id,
      color: 'red',
      title: lost ? 'The answer was lost' : 'The late answer has come: it did not go through',
      text: `${sent}: ${problem?.detail ?? String(became.error)}`,
      remedy: problem?.remedy ?? null,
    })
  }
}
