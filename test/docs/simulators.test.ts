import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const page = (name: string): string => readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')

test('the simulator in docs/guides/simulators.md answers as the fixture of the first plugin says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'))
  const [, code = ''] = /```ts\n(.*?)```/s.exec(page('simulators')) ?? []
  const simulators = new URL('../simulators/', import.meta.url).href
  const main = join(folder, 'main.ts')
  writeFileSync(main, code.replaceAll("'../", `'${simulators}`).replaceAll('/tmp/pki', folder).replace('port: 9444', 'port: 0'))
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const { url, api_key, ca } = JSON.parse(line) as { readonly url: string; readonly api_key: string; readonly ca: string }
    const [, fixture = ''] = /`plugins\/directory\/fixtures\/[^`]*`[^`]*```json\n(.*?)```/s.exec(page('plugins')) ?? []
    const [exchange] = JSON.parse(fixture).exchanges
    const answer = async (key: string): Promise<readonly unknown[]> => {
      const asked = get(`${url}/v1${exchange.request.path}`, { ca: readFileSync(ca), headers: { 'x-api-key': key } })
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      return [response.statusCode, await json(response)]
    }
    expect(await answer('wrong')).toEqual([401, { message: 'unknown key' }])
    expect(await answer(api_key)).toEqual([200, expect.objectContaining(exchange.answer.body)])
  } finally {
    child.kill()
    rmSync(folder, { recursive: true })
  }
})
