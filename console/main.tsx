import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { createQueries } from './api/queries.ts'
import { App } from './app.tsx'

const place = document.getElementById('console')
if (!place) throw new Error('The page has no element with the id `console`.')

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={createQueries()}>
      <Router hook={useHashLocation}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
)
