import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createAllowList, serveTunnel, signIn, systemNames } from '../../runtime/relay/agent/index.ts'
import { tunnelPath } from '../../runtime/relay/index.ts'
import { protocol } from '../../runtime/relay/link/index.ts'
import { addTenants } from '../support/api/waiting-run.ts'
import { consoleOnApi } from '../support/console/console-on-api.ts'
import { browserAtHand } from '../support/processes/windows.ts'

describe.runIf(browserAtHand('remote agents'))('remote agents in the console', () => {
  const tocsin = consoleOnApi(({ admin }) => addTenants(admin))

  test('an agent is created, its command is shown once, it comes online, and it is revoked after a confirmation', async () => {
    const page = await tocsin.at('/integrations')
    await page.getByRole('link', { name: 'Remote agents' }).click()
    await page.getByText('There is no agent to show').waitFor()
    await page.getByRole('button', { name: 'New agent …' }).click()
    const dialog = page.getByRole('dialog', { name: 'New remote agent' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('plant <b>1</b>')
    await dialog.getByRole('combobox', { name: 'Organization' }).selectOption('ACME')
    expect(await tocsin.person.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Create the agent' }).click()
    const shown = page.getByRole('dialog', { name: 'The command for plant <b>1</b>' })
    const command = (await shown.locator('pre').textContent()) ?? ''
    const token = /TOCSIN_AGENT_TOKEN=(tsa_[\w-]{43}) tocsin agent run --url http/.exec(command)?.[1] ?? ''
    await shown.getByRole('button', { name: 'I have kept it' }).click()
    const card = page.getByRole('article', { name: 'Agent plant <b>1</b>' })
    await card.getByText('Waits for its first start').waitFor()

    const { port } = tocsin.api.app.server.address() as AddressInfo
    const socket = new WebSocket(`ws://127.0.0.1:${port}${tunnelPath}`, [protocol])
    const { wire } = await signIn(socket, { privateKey: generateKeyPairSync('ed25519').privateKey, token, version: '1.2.3' })
    const tunnel = serveTunnel(wire, {
      names: systemNames,
      allow: createAllowList(['127.0.0.1:1']),
      clock: tocsin.api.clock,
      uptime: () => 1,
      told: () => {},
    })
    await card.getByText('Online').waitFor()
    await card.getByText('No connection uses it.').waitFor()

    await card.getByRole('button', { name: 'Revoke plant <b>1</b> …' }).click()
    await page.getByRole('dialog', { name: 'Revoke the agent' }).getByRole('button', { name: 'Revoke' }).click()
    await tunnel.gone
    await page.getByText('There is no agent to show').waitFor()
    await page.getByLabel('Show revoked agents').click()
    await card.getByText('Revoked').waitFor()
  })
})
