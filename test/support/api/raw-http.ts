import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Writes raw bytes to a server and reads until the server closes the connection. The server may close it before it has read all bytes. */
export function sendRaw(port: number, parts: readonly (string | Buffer)[], options: { readonly end?: boolean } = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    let failure: Error | null = null
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', () => {
      if (chunks.length > 0) resolve(parse(Buffer.concat(chunks).toString('latin1')))
      else reject(failure ?? new Error('the server closed without an answer'))
    })
    for (const part of parts) socket.write(part)
    if (options.end) socket.end()
  })
}

function parse(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  return { status: Number(statusLine.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}
