import { useEffect } from 'react'

/** Lets the browser ask before the window is closed, while something that was typed would be lost. */
export function useLeaveWarning(changed: boolean): void {
  useEffect(() => {
    if (!changed) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [changed])
}
