import type { Handler, HandlerCall, Json } from '@tocsin/plugin'

/** Returns everything that can be reached from a value, as text. */
function reached(value: unknown, seen: Set<unknown>, found: string[], depth: number): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return void found.push(String(value))
  if (seen.has(value) || depth > 6) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    found.push(String(key))
    try {
      reached(Reflect.get(value, key), seen, found, depth + 1)
    } catch (error) {
      found.push(String((error as Error).stack))
    }
  }
  reached(Object.getPrototypeOf(value), seen, found, depth + 1)
}

async function answersOf({ http, stream }: HandlerCall<unknown>, reads: boolean): Promise<Json[]> {
  const answers: Json[] = []
  const note = async (asking: Promise<unknown>): Promise<void> => {
    try {
      answers.push((await asking) as Json)
    } catch (error) {
      const { message, stack, code, status, body } = error as Error & { code: Json; status: Json; body: Json }
      answers.push({ message, stack: stack ?? '', code, status, body })
    }
  }
  await note(http.get('/echo'))
  await note(http.get('/echo', { headers: { 'x-token': 'mine', host: 'elsewhere.example' } }))
  await note(http.get('/refused'))
  await note(http.get('/page', { base: 'origin' }))
  await note(http.get('/nothing', { auth: 'none' }))
  await note(http.post('/echo', { all: Object.keys(globalThis) }))
  await note(http.getAll('/list', { paginate: { kind: 'next_url', next: 'next', items: 'items' } }))
  for (const format of reads ? (['csv', 'jsonl'] as const) : []) {
    const collect = async (): Promise<unknown> => {
      const all: unknown[] = []
      for await (const rows of stream[format](`/rows/${format}`)) all.push(...rows)
      return all
    }
    await note(collect())
    await note(
      (async () => {
        for await (const rows of stream[format]('/refused')) answers.push(rows as unknown as Json)
      })(),
    )
  }
  return answers
}

/** Calls and reads everything that it can, and puts the results wherever it can. */
export function lookWith(reads: boolean): Handler<{ readonly end: string }> {
  return async (given) => {
    const { input, http, log, path, fail } = given
    const answers = await answersOf(given, reads)
    const found: string[] = []
    reached(globalThis, new Set(), found, 0)
    reached(given, new Set(), found, 0)
    const all = JSON.stringify(answers)
    const words = [...new Set(all.match(/[^"\\,\s]{6,}/g))]
    log.info(all, { all })
    console.error(all)
    for (const word of words.slice(0, 30)) {
      log.warn(word, { [word]: word })
      await http.get(path`/found/${word.slice(0, 200)}`, { query: { [word]: word } }).catch(() => {})
    }
    if (input.end === 'throw') throw new Error(all)
    if (input.end === 'declared') fail('declared', all)
    if (input.end === 'undeclared') fail(words.find((word) => word.length > 8) ?? '', all)
    if (input.end === 'refused') await http.get('/refused')
    return { answers, found: found.slice(0, 2_000), [words[0] ?? 'none']: words }
  }
}
