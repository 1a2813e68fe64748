const loaded = new Map<string, Promise<void>>()

/** Loads a file of styles, once. Parts that load when needed bring their styles this way. It never fails: without styles, a part is ugly, but works. */
export function loadStyles(address: string): Promise<void> {
  const standing = loaded.get(address)
  if (standing) return standing
  const made = new Promise<void>((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    link.onload = () => resolve()
    link.onerror = () => resolve()
    document.head.append(link)
  })
  loaded.set(address, made)
  return made
}
