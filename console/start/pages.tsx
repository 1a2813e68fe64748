import { Text } from '@mantine/core'
import type { JSX } from 'react'
import { Page } from '../shared/page.tsx'
import { FirstRun } from './checklist.tsx'

/** The page of the first run. */
export default function StartPages(): JSX.Element {
  return (
    <Page title="First run">
      <Text mb="md" maw={760}>
        From an empty installation to the first case in about five minutes. Each step is the real thing, not a practice: what you create here stays.
      </Text>
      <FirstRun />
    </Page>
  )
}
