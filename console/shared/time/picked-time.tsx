import { DateTimePicker } from '@mantine/dates'
import type { JSX } from 'react'

export interface TimeFieldProps {
  readonly label: string
  readonly description: string
  /** What an empty field means: `Never`. */
  readonly placeholder: string
  /** Milliseconds since the epoch. Null: the field is empty. */
  readonly value: number | null
  readonly error?: string | null
  onChange(value: number | null): void
}

/** A field for a date and a time. The browser loads this file only when it is needed, because the date picker is large. */
export default function PickedTime({ value, onChange, ...props }: TimeFieldProps): JSX.Element {
  return (
    <DateTimePicker
      {...props}
      clearable
      valueFormat="D MMM YYYY HH:mm"
      value={value === null ? null : localText(value)}
      onChange={(chosen) => onChange(chosen === null ? null : new Date(chosen).getTime())}
    />
  )
}

/** The instant in the viewer's zone, as the date picker takes it. */
function localText(time: number): string {
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:00`
}
