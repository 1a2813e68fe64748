import { type JSX, lazy, Suspense, useState } from 'react'
import { useShortcut } from '../shortcuts.tsx'

const Palette = lazy(() => import('./palette.tsx'))

/** Returns a function that opens the palette, and the palette, which is loaded at the first opening. Ctrl and K open it too. */
export function usePalette(): { readonly open: () => void; readonly palette: JSX.Element | null } {
  const [asked, setAsked] = useState(0)
  const open = (): void => setAsked((times) => times + 1)
  useShortcut('$mod+k', 'Go to anything', open, 'Everywhere')
  const palette = asked === 0 ? null : <Suspense fallback={null}>{<Palette asked={asked} />}</Suspense>
  return { open, palette }
}
