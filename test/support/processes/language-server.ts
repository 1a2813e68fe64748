import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Life } from './life.ts'

interface Diagnostic {
  readonly line: number
  readonly message: string
}

/** What an editor shows for a document: completions, hover texts and mistakes. */
export interface Editor {
  /** Returns the labels of the completions, in the server's order. @param text a document with one `¦` at the cursor */
  complete(text: string): Promise<readonly string[]>
  /** Returns the text about the word under the cursor. */
  hover(text: string): Promise<string>
  /** Returns the mistakes in a document. Lines count from 0. */
  diagnose(text: string): Promise<readonly Diagnostic[]>
  close(): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly uri?: string; readonly items?: readonly unknown[]; readonly diagnostics?: readonly RawDiagnostic[] }
  readonly result?: unknown
  readonly error?: unknown
}
interface RawDiagnostic {
  readonly message: string
  readonly range: { readonly start: { readonly line: number } }
}

/** Starts the language server that editors use for YAML, over its standard streams. @param schema path of the schema for all documents */
export async function openEditor(schema: string): Promise<Editor> {
  const program = fileURLToPath(new URL('../../../node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url))
  const child = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const life = new Life('the language server', child)
  const answers = new Map<number, (message: Message) => void>()
  const diagnostics = new Map<string, (found: readonly RawDiagnostic[]) => void>()
  let next = 1

  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    child.stdin.write(body)
  }
  const request = <T>(method: string, params: object): Promise<T> => {
    const id = next++
    const answered = new Promise<T>((resolve, reject) => {
      answers.set(id, ({ result, error }) => (error === undefined ? resolve(result as T) : reject(new Error(JSON.stringify(error)))))
      send({ id, method, params })
    })
    return life.before(answered)
  }
  readMessages(child.stdout, (message) => {
    const { id, method, params } = message
    if (method === 'textDocument/publishDiagnostics') diagnostics.get(params?.uri ?? '')?.(params?.diagnostics ?? [])
    else if (method !== undefined && id !== undefined) send({ id, result: params?.items?.map(() => null) ?? null })
    else if (id !== undefined) {
      answers.get(id)?.(message)
      answers.delete(id)
    }
  })

  await request('initialize', { processId: process.pid, rootUri: null, capabilities: {} })
  send({ method: 'initialized', params: {} })
  const yaml = { validate: true, completion: true, hover: true, schemaStore: { enable: false } }
  send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml } } })

  const open = (text: string): { readonly uri: string; readonly position: { readonly line: number; readonly character: number } } => {
    const uri = `file:///${next++}.yaml`
    const whole = `# yaml-language-server: $schema=${schema}\n${text}`
    const before = whole.slice(0, Math.max(0, whole.indexOf('¦'))).split('\n')
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text: whole.replace('¦', '') } } })
    return { uri, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } }
  }

  return {
    async complete(text) {
      const { uri, position } = open(text)
      const { items } = await request<{ items: readonly { readonly label: string }[] }>('textDocument/completion', {
        textDocument: { uri },
        position,
      })
      return items.map(({ label }) => label)
    },
    async hover(text) {
      const { uri, position } = open(text)
      const found = await request<{ contents: { value: string } } | null>('textDocument/hover', { textDocument: { uri }, position })
      return found?.contents.value ?? ''
    },
    async diagnose(text) {
      const { uri } = open(text)
      const found = await life.before(new Promise<readonly RawDiagnostic[]>((resolve) => diagnostics.set(uri, resolve)))
      return found.map(({ message, range }) => ({ message, line: range.start.line - 1 }))
    },
    close: () => void child.kill(),
  }
}

/** Reads the messages of a stream. Before each is a header with its length in bytes. */
function readMessages(stream: NodeJS.ReadableStream, take: (message: Message) => void): void {
  let rest = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const header = rest.indexOf('\r\n\r\n')
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, Math.max(0, header)).toString())?.[1] ?? Number.NaN)
      if (header < 0 || !(rest.length >= header + 4 + length)) return
      const body = rest.subarray(header + 4, header + 4 + length).toString()
      rest = rest.subarray(header + 4 + length)
      take(JSON.parse(body) as Message)
    }
  })
}
