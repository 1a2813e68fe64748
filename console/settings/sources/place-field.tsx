import { Autocomplete } from '@mantine/core'
import type { JSX } from 'react'

interface PlaceFieldProps {
  /** The name of the field in a form. */
  readonly name?: string
  readonly label: string
  readonly description: string
  /** A place, as an empty field shows it. */
  readonly example: string
  /** The places that are offered. */
  readonly choices: readonly string[]
  readonly value: string
  readonly error?: string | null
  onChange(place: string): void
}

/** A place in JSON: a JSON pointer, typed or chosen. */
export function PlaceField({ example, choices, error = null, ...field }: PlaceFieldProps): JSX.Element {
  return (
    <Autocomplete
      {...field}
      error={error}
      placeholder={example}
      data={[...choices]}
      limit={20}
      // A screen reader leaves out what is not in the dialog.
      comboboxProps={{ withinPortal: false }}
      maxLength={256}
      pattern="(\/([^~\/]|~[01])*)+"
      title="A JSON pointer, such as /event/id"
    />
  )
}
