import { Button } from '@mantine/core'
import { Component, type JSX, type ReactNode } from 'react'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'

interface Props {
  readonly children: ReactNode
  /** Returns what to show in place of a part that failed. @param says why it failed, and the button that loads the page again */
  readonly failed: (says: JSX.Element) => JSX.Element
}

interface State {
  readonly error: unknown
}

/**
 * Keeps everything around a part that fails. After an update of the server, the files that an open page has not loaded yet are gone:
 * reloading fetches the new ones.
 */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return this.props.failed(
      <>
        <ProblemNote error={error} />
        <Button onClick={() => window.location.reload()}>Load the page again</Button>
      </>,
    )
  }
}

/** Keeps the frame when a page fails. */
export function PageBoundary({ children }: { readonly children: ReactNode }): JSX.Element {
  return <Boundary failed={(says) => <Page title="This page failed">{says}</Page>}>{children}</Boundary>
}
