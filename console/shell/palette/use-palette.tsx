import { Modal, TextInput } from '@mantine/core'
import { type JSX, lazy, Suspense, useState } from 'react'
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
      <Suspense fallback={<Loading text={begun} onType={setBegun} onClose={leave} />}>
        <Palette asked={asked} begun={begun} />
      </Suspense>
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
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': 'Go to anything' } }}
    >
      <TextInput data-autofocus aria-label="Go to anything" value={text} onChange={({ currentTarget }) => onType(currentTarget.value)} />
    </Modal>
  )
}
