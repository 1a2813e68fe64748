import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from 'react'
import { useShortcut } from '../../shell/shortcuts.tsx'

/** Which rows are selected, for actions on several at once. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  onChange(ids: ReadonlySet<string>): void
}

interface RowMovesOptions<Row> {
  /** The rows that are loaded so far. */
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly onOpen: (row: Row) => void
  /** The row that is open beside the list. */
  readonly openId: string | null
  /** The row on which the keys act at first. Null: none. */
  readonly begins: string | null
  readonly selection: Selection | undefined
  /** Whether all rows are loaded. */
  readonly atEnd: boolean
  /** In pixels. */
  readonly rowHeight: number
  scrollTo(index: number): void
}

interface RowMoves<Row> {
  /** The row on which the keys act. Undefined: none. */
  readonly current: Row | undefined
  /** Its id. Null: nobody has chosen one. */
  readonly currentId: string | null
  /** Its number. -1: none. */
  readonly currentAt: number
  /** Whether it is on its way to the last row, and loads the rows before it. */
  readonly toEnd: boolean
  setCurrent(row: Row): void
  /** Selects a row, or no longer. */
  readonly toggle: (id: string) => void
  /** Ends the way to the last row. */
  stay(): void
  onKeyDown(event: KeyboardEvent<HTMLDivElement>): void
}

/** Moves through a list with keys. */
export function useRowMoves<Row extends object>(options: RowMovesOptions<Row>): RowMoves<Row> {
  const { rows, idOf, onOpen, openId, begins, selection, atEnd, rowHeight, scrollTo } = options
  const [currentId, setCurrentId] = useState(begins)
  const [toEnd, setToEnd] = useState(false)
  const currentAt = useMemo(() => rows.findIndex((row) => idOf(row) === (currentId ?? openId)), [rows, idOf, currentId, openId])
  const current = rows[currentAt]
  const moveTo = (at: number): void => {
    const index = Math.max(0, Math.min(rows.length - 1, at))
    const row = rows[index]
    if (row === undefined) return
    setCurrentId(idOf(row))
    scrollTo(index)
    // While a row is open beside the list, moving opens the next one.
    if (openId !== null) onOpen(row)
  }
  const toggle = useCallback(
    (id: string): void => {
      if (!selection) return
      const ids = new Set(selection.ids)
      if (!ids.delete(id)) ids.add(id)
      selection.onChange(ids)
    },
    [selection],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that arrives moves on to its last row
  useEffect(() => {
    if (!toEnd) return
    if (atEnd) {
      setToEnd(false)
      moveTo(rows.length - 1)
    } else scrollTo(rows.length - 1)
  }, [toEnd, atEnd, rows.length])
  const [below, above] = [currentAt + 1, currentAt < 0 ? 0 : currentAt - 1]
  useShortcut('j', 'Next row', rows.length > 0 ? () => moveTo(below) : null, 'List')
  useShortcut('k', 'Previous row', rows.length > 0 ? () => moveTo(above) : null, 'List')
  useShortcut('o', 'Open the row', current ? () => onOpen(current) : null, 'List')
  useShortcut('x', 'Select the row', selection && current ? () => toggle(idOf(current)) : null, 'List')

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    setToEnd(event.key === 'End' && event.target === event.currentTarget)
    if (event.target !== event.currentTarget) return
    const page = Math.floor(event.currentTarget.clientHeight / rowHeight) - 1
    const moves: Record<string, number> = { ArrowDown: below, ArrowUp: above, Home: 0, PageDown: currentAt + page, PageUp: currentAt - page }
    const at = moves[event.key]
    if (event.key === 'End') event.preventDefault()
    else if (at !== undefined) {
      event.preventDefault()
      moveTo(at)
    } else if (event.key === 'Enter' && current) onOpen(current)
    else if (event.key === ' ' && current && selection) {
      event.preventDefault()
      toggle(idOf(current))
    }
  }
  return { current, currentId, currentAt, toEnd, setCurrent: (row) => setCurrentId(idOf(row)), toggle, stay: () => setToEnd(false), onKeyDown }
}
