import type { JSX } from 'react'
import { Route, Switch } from 'wouter'
import { CasePage } from './case-page.tsx'
import { CaseListPage } from './list-page.tsx'
import { MentionsPage } from './mentions/mentions-page.tsx'

/** The pages of cases: a list or a board, the mentions of the person, and one case. */
export default function CasePages(): JSX.Element {
  return (
    <Switch>
      <Route path="/cases">
        <CaseListPage />
      </Route>
      {/* No case has this id: an id ends with a number. */}
      <Route path="/cases/mentions">
        <MentionsPage />
      </Route>
      <Route path="/cases/:id">{({ id }) => <CasePage key={id} id={decodeURIComponent(id)} />}</Route>
    </Switch>
  )
}
