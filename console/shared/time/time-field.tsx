import styles from '@mantine/dates/styles.css?url'
import { type JSX, lazy, Suspense } from 'react'
import { Loading } from '../states.tsx'
import { loadStyles } from '../styles.ts'
import type { TimeFieldProps } from './picked-time.tsx'

const PickedTime = lazy(async () => {
  const [field] = await Promise.all([import('./picked-time.tsx'), loadStyles(styles)])
  return field
})

/** A field for a date and a time in the viewer's zone. It loads when it shows. */
export function TimeField(props: TimeFieldProps): JSX.Element {
  return (
    <Suspense fallback={<Loading />}>
      <PickedTime {...props} />
    </Suspense>
  )
}
