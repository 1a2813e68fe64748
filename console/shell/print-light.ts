const attribute = 'data-mantine-color-scheme'

/** Prints pages in the light theme: browsers leave out the dark ground, and light text on paper cannot be read. */
export function printLight(): void {
  const { documentElement: page } = document
  let chosen: string | null = null
  window.addEventListener('beforeprint', () => {
    chosen = page.getAttribute(attribute)
    page.setAttribute(attribute, 'light')
  })
  window.addEventListener('afterprint', () => {
    if (chosen !== null) page.setAttribute(attribute, chosen)
  })
}
