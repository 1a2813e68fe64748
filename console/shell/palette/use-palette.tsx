import { Modal, TextInput } from '@mantine/core'
import { type JSX, lazy, type ReactNode, Suspense, useState } from 'react'
import { Boundary } from '../boundary.tsx'
import { useShortcut } from '../shortcuts.tsx'

const Palette = lazy(() => import('./palette.tsx'))

/** Returns a function that opens the palette, and the palette, which is loaded at the first opening. Ctrl and K open it too. */
export function usePalette(): { readonly open: () => void; readonly palette: JSX.Element | null } {
  const [asked, setAsked] = useState(0)
  const [begun, setBegun] = useState('')
  const open = (): void => setAsked((times) => times + 1)
  const leave = (): void => {
    setAsked(0)
    setBegun('')
  }
  useShortcut('$mod+k', 'Go to anything', open, 'Everywhere')
  const palette =
    asked === 0 ? null : (
      <Boundary failed={(says) => <Dialog onClose={leave}>{says}</Dialog>}>
        <Suspense fallback={<Loading text={begun} onType={setBegun} onClose={leave} />}>
          <Palette asked={asked} begun={begun} />
        </Suspense>
      </Boundary>
    )
  return { open, palette }
}

interface LoadingProps {
  readonly text: string
  readonly onType: (text: string) => void
  readonly onClose: () => void
}

/** Takes what somebody types while the palette is loaded. Without it, each letter would be a shortcut of the page behind. */
function Loading({ text, onType, onClose }: LoadingProps): JSX.Element {
  return (
    <Dialog onClose={onClose}>
      <TextInput data-autofocus aria-label="Go to anything" value={text} onChange={({ currentTarget }) => onType(currentTarget.value)} />
    </Dialog>
  )
}

/** The window in which the palette is loaded, or says that it cannot be. */
function Dialog({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }): JSX.Element {
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Go to anything' } }}
    >
      {children}
    </Modal>
  )
}
