import type { JSX } from 'react'
import { Route, Switch } from 'wouter'
import { useAddress } from '../shared/address.ts'
import { EditPage } from './edit-page.tsx'
import { PlaybookList } from './list.tsx'
import { PlaybookPage } from './playbook-page.tsx'
import { type Place, queryOf } from './queries.ts'
import { ToReplay } from './to-replay.tsx'

/** The pages of playbooks. */
export default function PlaybookPages(): JSX.Element {
  const { get } = useAddress()
  const placeOf = (key: string): Place => ({
    key,
    kind: get('kind') === 'sub_playbook' ? 'sub_playbook' : 'playbook',
    organization: get('organization'),
  })
  return (
    <Switch>
      <Route path="/playbooks">
        <PlaybookList />
      </Route>
      <Route path="/playbooks/:key">
        {({ key }) => {
          const place = placeOf(decodeURIComponent(key))
          const run = get('run')
          return run === null ? <Keyed Page={PlaybookPage} place={place} /> : <ToReplay alertType={place.key} run={run} />
        }}
      </Route>
      <Route path="/playbooks/:key/edit">{({ key }) => <Keyed Page={EditPage} place={placeOf(decodeURIComponent(key))} />}</Route>
    </Switch>
  )
}

/** Another place is another page, with a state of its own. */
function Keyed({ Page, place }: { readonly Page: (props: { readonly place: Place }) => JSX.Element; readonly place: Place }): JSX.Element {
  return <Page key={place.key + queryOf(place)} place={place} />
}
