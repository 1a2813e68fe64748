import { readFileSync } from 'node:fs'

/** Whether a delivery is genuine. @param now milliseconds; the wall clock's if absent */
export type Verify = (secret: string, headers: object, body: string, now?: number) => boolean

/** The function that docs/guides/webhooks.md shows, as a receiver would copy it. */
export async function documentedVerify(): Promise<Verify> {
  const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const code = /```js\n(.*?)```/s.exec(guide)?.[1]
  if (code === undefined) throw new Error('the guide shows no code')
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as { readonly verify: Verify }
  return module.verify
}
