import type { FeedChangeView } from '../../../runtime/api/index.ts'

/** `live`: changes show at once. `reconnecting`: the stream was cut a moment ago. `offline`: it cannot be opened. `closed`: there is none. */
export type FeedStatus = 'live' | 'reconnecting' | 'offline' | 'closed'

interface FeedListener {
  status(status: FeedStatus): void
  changed(changes: readonly FeedChangeView[]): void
  /** Changes may have been missed. */
  missed(): void
  /** The server takes requests, and says nothing. */
  silent(): void
  /** The server refused the stream. Its key may have been revoked. */
  refused(): void
}

/** The server says every 5 seconds that the stream is open. After this time without a word it is broken, in milliseconds. */
const silence = 12_000
/** A stream that takes longer to open is not live, even if the one before it was: a stopped server takes requests. In milliseconds. */
const late = 2_000
/** After this time without a stream the page says that it is offline, in milliseconds. */
const patience = 5_000
/** How long the page waits before it opens a refused stream again, in milliseconds. Each time twice as long. */
const firstWait = 2_000
const longestWait = 30_000
/** A page that is hidden for this long closes its stream: browsers open only six connections to a server. In milliseconds. */
const hiddenFor = 20_000

/** The page's stream. It opens itself again after a cut, and continues where it was. */
export class FeedConnection {
  readonly #listener: FeedListener
  #source: EventSource | null = null
  #lastId: string | null = null
  #wait = firstWait
  #status: FeedStatus = 'closed'
  readonly #timers: { open?: Timer; late?: Timer; offline?: Timer; silent?: Timer; hidden?: Timer } = {}

  constructor(listener: FeedListener) {
    this.#listener = listener
    document.addEventListener('visibilitychange', this.#seen)
    window.addEventListener('online', this.#online)
    this.#open()
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#seen)
    window.removeEventListener('online', this.#online)
    this.#drop()
    this.#say('closed')
  }

  readonly #seen = (): void => {
    clearTimeout(this.#timers.hidden)
    if (document.hidden) this.#timers.hidden = setTimeout(() => this.#drop(), hiddenFor)
    else if (this.#source === null) this.#open()
  }

  readonly #online = (): void => {
    if (this.#status === 'live' || document.hidden) return
    this.#drop()
    this.#open()
  }

  #open(): void {
    clearTimeout(this.#timers.open)
    const after = this.#lastId === null ? '' : `?after=${encodeURIComponent(this.#lastId)}`
    const source = new EventSource(`/platformapi/feed${after}`)
    this.#source = source
    this.#timers.late = setTimeout(() => {
      if (this.#status === 'reconnecting' || this.#status === 'offline') return
      this.#lost()
      this.#listener.silent()
    }, late)
    source.onopen = () => {
      this.#wait = firstWait
      clearTimeout(this.#timers.late)
      clearTimeout(this.#timers.offline)
      delete this.#timers.offline
      this.#say('live')
      this.#heard(null)
    }
    source.onerror = () => this.#cut(source)
    source.addEventListener('alive', (event) => this.#heard(event))
    source.addEventListener('refresh', (event) => {
      this.#heard(event)
      this.#listener.missed()
    })
    source.addEventListener('change', (event) => {
      this.#heard(event)
      const { changes } = JSON.parse(String(event.data)) as { readonly changes: readonly FeedChangeView[] }
      this.#listener.changed(changes)
    })
  }

  #heard(event: MessageEvent | null): void {
    if (event !== null && event.lastEventId !== '') this.#lastId = event.lastEventId
    clearTimeout(this.#timers.silent)
    this.#timers.silent = setTimeout(() => {
      this.#drop()
      this.#lost()
      this.#listener.silent()
      this.#open()
    }, silence)
  }

  #cut(source: EventSource): void {
    this.#lost()
    // The browser opens it again by itself, unless the server refused it.
    if (source.readyState !== EventSource.CLOSED || source !== this.#source) return
    this.#drop()
    this.#lost()
    this.#listener.refused()
    this.#timers.open = setTimeout(() => this.#open(), this.#wait)
    this.#wait = Math.min(this.#wait * 2, longestWait)
  }

  /** The stream is gone for now. */
  #lost(): void {
    if (this.#status !== 'offline') this.#say('reconnecting')
    this.#timers.offline ??= setTimeout(() => this.#say('offline'), patience)
  }

  #drop(): void {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer)
    delete this.#timers.offline
    this.#source?.close()
    this.#source = null
  }

  #say(status: FeedStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.#listener.status(status)
  }
}

type Timer = ReturnType<typeof setTimeout>
