import { readFileSync } from 'node:fs'

/** Returns whether a delivery is genuine. @param now milliseconds; default: the wall clock */
export type Verify = (secret: string, headers: object, body: string, now?: number) => boolean

/** Loads the function from docs/guides/webhooks.md, as a receiver would copy it. */
export async function documentedVerify(): Promise<Verify> {
  const guide = readFileSync(new URL('../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const code = /```js\n(.*?)```/s.exec(guide)?.[1]
  if (code === undefined) throw new Error('the guide shows no code')
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as { readonly verify: Verify }
  return module.verify
}
