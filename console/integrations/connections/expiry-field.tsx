import { DateTimePicker } from '@mantine/dates'
import type { JSX } from 'react'

interface ExpiryProps {
  /** Milliseconds since the epoch. Null: never. */
  readonly value: number | null
  onChange(value: number | null): void
}

/** When the credentials expire. The date picker is large, so it loads with this file. */
export default function ExpiryField({ value, onChange }: ExpiryProps): JSX.Element {
  return (
    <DateTimePicker
      label="Expiry"
      description="After this, Tocsin treats the credentials as expired and sends nothing. It changes nothing in the external system."
      placeholder="Never"
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
