import { readFileSync } from 'node:fs'
import { serve } from './index.ts'

/** The tasks of the helper in the tests. */
export type TestTask =
  | { readonly do: 'echo'; readonly value: unknown }
  | { readonly do: 'spin' }
  | { readonly do: 'hoard' }
  | { readonly do: 'exit' }
  | { readonly do: 'throw' }
  | { readonly do: 'environment' }
  | { readonly do: 'read'; readonly path: string }

serve((task) => {
  const { do: what, ...given } = task as TestTask & { readonly value?: unknown; readonly path?: string }
  switch (what) {
    case 'echo':
      return given.value
    case 'spin':
      for (;;);
    case 'hoard':
      for (const kept: unknown[] = []; ; ) kept.push(new Array(100_000).fill(kept.length))
    case 'exit':
      process.exit(3)
      break
    case 'throw':
      throw new Error('broken')
    case 'environment':
      return Object.keys(process.env)
        .filter((name) => !name.startsWith('NODE_CHANNEL'))
        .sort()
    case 'read':
      return readFileSync(given.path ?? '', 'utf8')
  }
})
