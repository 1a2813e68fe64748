import { useRef, useState } from 'react'
import type { ConnectionAnswer, IntegrationView } from '../../../runtime/api/index.ts'
import { useLeaveWarning } from '../../shared/drafts/leave-warning.ts'
import { useBegunWithSecrets } from '../../shell/begun.ts'
import { type Draft, draftOf, newDraft } from './draft.ts'
import { type Saved, useSave } from './use-save.ts'

/** What the form is about: the connection as it was when the form was opened, and what is filled in. */
interface Work {
  /** Null: a new connection. */
  readonly standing: ConnectionAnswer | null
  readonly draft: Draft
  /** The fields that come from the vendor's file. */
  readonly pasted: ReadonlySet<string>
}

interface FormNeeds {
  readonly integration: IntegrationView
  /** The connection that is changed. Null: a new one. */
  readonly opened: ConnectionAnswer | null
  /** The organizations that may own it. */
  readonly organizations: readonly string[]
  /** Instance names that other connections have. */
  readonly taken: readonly string[]
  onSaved(saved: Saved): void
}

/** The state of the form of a connection. What somebody has filled in stays while they look at another page. */
export function useConnectionForm({ integration, opened, organizations, taken, onSaved }: FormNeeds) {
  const begun = useBegunWithSecrets<Work>(`connection ${opened?.id ?? `new ${integration.id}`}`)
  const beginning = (standing: ConnectionAnswer | null): Draft =>
    standing ? draftOf(standing) : newDraft(integration, organizations[0] ?? null, taken)
  const isUntouched = ({ standing, draft }: Work): boolean => JSON.stringify(draft) === JSON.stringify(beginning(standing))
  const [work, setWork] = useState<Work>(() => begun.read() ?? { standing: opened, draft: beginning(opened), pasted: new Set() })
  // What is typed while the browser reads a file must not be lost when the file is there.
  const latest = useRef(work)
  useLeaveWarning(!isUntouched(work))
  const save = useSave({
    integration,
    ...work,
    // Whoever has left the page before the answer came must not find the form again, and make a second connection of it.
    onStored: begun.forget,
    onSaved: (saved) => {
      begun.forget()
      onSaved(saved)
    },
  })
  const become = (change: Partial<Work>): void => {
    save.reset()
    const next = { ...latest.current, ...change }
    latest.current = next
    if (isUntouched(next)) begun.forget()
    else begun.keep(next)
    setWork(next)
  }
  return {
    ...work,
    save,
    set: (change: Partial<Draft>): void => become({ draft: { ...latest.current.draft, ...change } }),
    /** Fills these fields from the file. */
    takeFile: (paste: string | null, pasted: ReadonlySet<string>): void => {
      const { draft } = latest.current
      const fields = Object.fromEntries(Object.entries(draft.fields).filter(([name]) => !pasted.has(name)))
      become({ draft: { ...draft, paste, fields }, pasted })
    },
    takeTheirs: (standing: ConnectionAnswer): void => become({ standing, draft: draftOf(standing), pasted: new Set() }),
    keepMine: (standing: ConnectionAnswer): void => become({ standing }),
    leave: (): void => begun.forget(),
  }
}
