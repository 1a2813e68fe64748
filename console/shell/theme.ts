import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** The blue of the mark, from light to dark. */
const harbour: MantineColorsTuple = ['#eef4fb', '#dbe6f3', '#b5cbe6', '#8baed8', '#6895cc', '#5285c5', '#3f76bb', '#2f62a3', '#285590', '#1d3a5f']

/** The greys of the dark theme, from light to dark. They lean to the blue of the mark, like the ground they lie on. */
const slate: MantineColorsTuple = ['#d5d9df', '#b9bfc9', '#8b93a0', '#6a7280', '#3d4551', '#333a45', '#242a33', '#191d23', '#14171c', '#0e1115']

/** The look of the console: its colours, its type and the sizes of its parts. */
export const theme = createTheme({
  primaryColor: 'harbour',
  primaryShade: { light: 7, dark: 7 },
  colors: { harbour, dark: slate },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } } },
  components: {
    Badge: { defaultProps: { variant: 'light', radius: 'sm', size: 'md', tt: 'none', fw: 500 } },
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: true } } },
    // The first item gets the focus, as in every menu. The library would add an element that is no item. A menu belongs to the page's content.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: '#main' } } },
    Combobox: { defaultProps: { portalProps: { target: '#main' } } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    // A dialog's head is no banner: the page has one.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
  },
})

/** Colours of light badges, alerts and buttons. */
const tinted = ['harbour', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'grape', 'violet', 'gray', 'cyan', 'pink', 'indigo', 'lime'] as const

/** Colours that stay bright even in their darkest shade. */
const pale: ReadonlySet<string> = new Set(['yellow', 'orange', 'lime'])
/** Red buttons, whose text is white. */
const dangerous = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#ad2424' }

/**
 * Replaces the library's colours whose contrast is too low. Text on a light badge and dimmed text need 4.5 to 1 (WCAG 2.2, 1.4.3).
 */
export const cssVariables: CSSVariablesResolver = ({ colors }) => {
  const light: Record<string, string> = {
    '--mantine-color-dimmed': '#59616c',
    '--mantine-color-placeholder': '#66707b',
    '--mantine-color-error': '#b3261e',
  }
  const dark: Record<string, string> = {
    '--mantine-color-dimmed': '#a4acb8',
    '--mantine-color-placeholder': '#98a1ad',
    '--mantine-color-error': '#ff9c92',
    // The library mixes these from black, which cannot be seen on the dark ground.
    '--mantine-color-gray-light': '#2b313b',
    '--mantine-color-harbour-light': '#1d3350',
    '--mantine-color-anchor': colors['harbour']?.[3] ?? harbour[3],
  }
  for (const name of tinted) {
    const shades = colors[name]
    if (shades === undefined) continue
    light[`--mantine-color-${name}-light-color`] = `color-mix(in srgb, ${shades[9]} ${pale.has(name) ? 58 : 82}%, black)`
    dark[`--mantine-color-${name}-light-color`] = `color-mix(in srgb, ${shades[2]} 88%, white)`
  }
  return { variables: {}, light: { ...light, ...dangerous }, dark: { ...dark, ...dangerous } }
}
