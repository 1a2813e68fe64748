import type { JSX } from 'react'
import { useSessionOver } from '../../api/session.ts'
import { Dialog } from '../dialog.tsx'
import { SignInForm } from './sign-in.tsx'

/** A dialog that was opened later would otherwise cover the form. */
const aboveDialogs = 1_000

/**
 * Asks for a key when the server has refused the one before. The page behind it stays as it is, with everything that was typed, and gets the
 * focus back where it was.
 */
export function SessionOver(): JSX.Element | null {
  const stay = (): void => {}
  return useSessionOver() ? (
    <Dialog
      onClose={stay}
      fullScreen
      withCloseButton={false}
      closeOnEscape={false}
      zIndex={aboveDialogs}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Sign in again' } }}
    >
      <SignInForm again />
    </Dialog>
  ) : null
}
