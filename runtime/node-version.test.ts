import { expect, test } from 'vitest'

// The file is JavaScript without types.
const file = './node-version.js'
const { complaintAbout } = (await import(file)) as { readonly complaintAbout: (version: string) => string | null }

test.for(['24.0.0', '24.21.0', '25.1.0', '30.0.0-nightly'])('Node %s is new enough', (version) => {
  expect(complaintAbout(version)).toBeNull()
})

test.for(['18.19.0', '20.20.2', '23.11.1'])('Node %s is too old, and the message says what to use', (version) => {
  expect(complaintAbout(version)).toBe(
    `Tocsin needs Node 24 or newer, but it was started with Node ${version}. npm has installed the right one: use \`npm start\`, or \`npm run tocsin -- <command>\`.`,
  )
})
