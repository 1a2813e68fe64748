import { DateTimePicker, type DateTimePickerProps } from '@mantine/dates'
import { type JSX, useId } from 'react'

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

/** What a screen reader says for the buttons and fields of the calendar, which have only icons. */
const spoken: Pick<DateTimePickerProps, 'ariaLabels' | 'timePickerProps' | 'submitButtonProps' | 'clearButtonProps'> = {
  ariaLabels: {
    nextMonth: 'Next month',
    previousMonth: 'Previous month',
    nextYear: 'Next year',
    previousYear: 'Previous year',
    nextDecade: 'Next ten years',
    previousDecade: 'Previous ten years',
  },
  timePickerProps: { hoursInputLabel: 'Hours', minutesInputLabel: 'Minutes' },
  submitButtonProps: { 'aria-label': 'Done' },
  clearButtonProps: { 'aria-label': 'Clear the time' },
}

/** A field for a date and a time. The browser loads this file only when it is needed, because the date picker is large. */
export default function PickedTime({ value, onChange, ...props }: TimeFieldProps): JSX.Element {
  const id = useId()
  return (
    <DateTimePicker
      {...props}
      {...spoken}
      id={id}
      // The calendar has the name of the field.
      popoverProps={{ id }}
      // Days of other months and of weekends would be too faint to read.
      hideOutsideDates
      weekendDays={[]}
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
