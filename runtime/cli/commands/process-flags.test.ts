import { expect, test } from 'vitest'
import { buildProgram } from '../index.ts'

test.each([
  ['up', '8080'],
  ['serve', '8080'],
  ['worker', '8081'],
])('the help of tocsin %s names the port that it takes, %s', async (name, port) => {
  const command = (await buildProgram(name)).commands.find((each) => each.name() === name)
  expect(command?.helpInformation().replaceAll(/\s+/g, ' ')).toContain(`(TOCSIN_PORT, default ${port})`)
})
