import { type JSX, useRef } from 'react'
import { Empty, Loading } from '../states.tsx'
import { DrawnList } from './drawn-list.tsx'
import { usePlace } from './place.ts'
import type { DataListProps } from './props.ts'
import type { ListFocus } from './use-kept-focus.ts'

/**
 * A list of any length. It draws only the rows in view. Up and down (or j and k) move, Enter opens, x selects. End goes to the last
 * row, even if the rows before it are not loaded yet. The chosen columns are in the address. Whoever comes back finds the place again.
 */
export function DataList<Row extends object>(props: DataListProps<Row>): JSX.Element | null {
  const { label, of, rows, pending, empty } = props
  const scroller = useRef<HTMLDivElement>(null)
  const place = usePlace(label, of, scroller)
  const focus = useRef<ListFocus>(null)
  if (pending) return <Loading what={`Loading ${label.toLowerCase()}`} />
  if (rows.length === 0) return empty && <Empty title={empty.title}>{empty.text}</Empty>
  return <DrawnList key={of} {...props} place={place} scroller={scroller} focus={focus} />
}
