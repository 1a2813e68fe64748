import { Button } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'

interface State {
  readonly error: unknown
}

/** Keeps the frame when a page fails. After an update of the server, the files of an open page are gone: reloading fetches the new ones. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <Page title="This page failed">
        <ProblemNote error={error} />
        <Button onClick={() => window.location.reload()}>Load the page again</Button>
      </Page>
    )
  }
}
