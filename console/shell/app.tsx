import { Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { me } from '../api/me.ts'
import { Refused } from '../api/refused.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Frame } from './frame.tsx'
import { useLateNotes } from './late/notes.ts'
import { Pages } from './pages.tsx'
import { useOtherWindows } from './session/other-windows.ts'
import { SessionOver } from './session/session-over.tsx'
import { SignIn } from './session/sign-in.tsx'
import { WhoProvider } from './who.ts'

/** The console: its pages for a person who is signed in, else the sign-in form. */
export function App(): JSX.Element {
  const { data, error, isPending } = useQuery(me)
  useOtherWindows()
  useLateNotes()
  if (isPending)
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  if (data)
    return (
      <WhoProvider value={data}>
        <Frame key={data.principal_uuid}>
          <Pages />
        </Frame>
        <SessionOver />
      </WhoProvider>
    )
  if (error instanceof Refused && error.problem.status === 401) return <SignIn />
  return <ProblemNote error={error} />
}
