import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import './styles.ts'
import './shared/came-back.ts'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { createQueries } from './api/client.ts'
import { App } from './shell/app.tsx'
import { printLight } from './shell/print-light.ts'
import { cssVariables, theme } from './shell/theme.ts'

const place = document.getElementById('console')
if (!place) throw new Error('The page has no element with the id `console`.')
/** The nonce of the page. Its content security policy allows styles that carry it. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// The library that stops the page from scrolling behind a dialog reads the nonce of its styles from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })
printLight()

createRoot(place).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={createQueries()}>
        <Notifications position="bottom-right" containerWidth={400} />
        <Router base="/console">
          <ModalsProvider>
            <App />
          </ModalsProvider>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
