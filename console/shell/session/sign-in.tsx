import { Button, Center, Code, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, JSX } from 'react'
import type { SignedInView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { useTitle } from '../../shared/page.tsx'
import { ProblemNote } from '../../shared/problem.tsx'
import { Mark } from '../mark.tsx'
import { become } from './become.ts'
import { tellOtherWindows } from './other-windows.ts'

/** The page for people who are not signed in. */
export function SignIn(): JSX.Element {
  useTitle('Sign in')
  return (
    <main>
      <SignInForm />
    </main>
  )
}

/**
 * The sign-in form. It exchanges the key for a cookie that no script can read. The page does not store the key.
 * @param again whether a session has ended, and its page waits behind the form
 */
export function SignInForm({ again = false }: { readonly again?: boolean }): JSX.Element {
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: (key: string) => ask<SignedInView>('POST', '/console/sign-in', { key }),
    onSuccess: async (who) => {
      const shown = become(queries, who)
      tellOtherWindows()
      await shown
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const key = new FormData(event.currentTarget).get('key')
    if (typeof key === 'string' && key !== '') signIn.mutate(key)
  }
  return (
    <Center mih={again ? '90vh' : '100vh'} p="md">
      <Paper w="100%" maw={420}>
        <Group gap="sm" mb="md">
          <Mark size={36} />
          <Title order={1}>Tocsin</Title>
        </Group>
        <form onSubmit={submit}>
          <Stack gap="sm">
            {again && <Text>Your session has ended. Sign in again to continue where you were.</Text>}
            <PasswordInput
              label="API key"
              name="key"
              autoComplete="current-password"
              required
              withAsterisk={false}
              size="md"
              autoFocus
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide what you typed' }}
            />
            <Text size="sm" c="dimmed">
              Use your own key: what you do is recorded under its name. An administrator creates it with <Code>tocsin key create</Code>.
            </Text>
            <Button type="submit" loading={signIn.isPending}>
              Sign in
            </Button>
          </Stack>
        </form>
        {signIn.error && <ProblemNote error={signIn.error} />}
      </Paper>
    </Center>
  )
}
