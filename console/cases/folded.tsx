import { Button } from '@mantine/core'
import { type JSX, useState } from 'react'
import { Foreign } from '../shared/foreign.tsx'

/** The most characters of a line that are shown at first. */
const mostShown = 500

/** A text from outside in a line. A long one shows its beginning. */
export function Folded({ value }: { readonly value: string }): JSX.Element {
  const [open, setOpen] = useState(false)
  if (value.length <= mostShown) return <Foreign value={value} />
  return (
    <>
      <Foreign value={open ? value : `${value.slice(0, mostShown)} …`} />{' '}
      <Button size="compact-xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : `Show all ${value.length.toLocaleString('en')} characters`}
      </Button>
    </>
  )
}
