import { randomUUID } from 'node:crypto'

/** What the load generator posts, as far as a floor reads it. */
export interface FloorAlert {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly content: string
}

/** What a run reads from the alert. */
export interface Content {
  readonly title: string
  readonly item: string
  readonly act: boolean
  /** One step for each. */
  readonly items: readonly number[]
}

/** Reads the body of `POST /platformapi/alerts`. Throws if it is not JSON. */
export function alertIn(body: string): FloorAlert {
  const { alert_content: content = '{}', alert_type: type = '' } = JSON.parse(body) as { alert_content?: string; alert_type?: string }
  return { id: randomUUID(), type, title: contentOf(content).title, content }
}

/** Reads the content of an alert. Throws if it is not JSON. */
export function contentOf(content: string): Content {
  const { title = '', item = '', act = false, items = [] } = JSON.parse(content) as Partial<Content>
  return { title, item, act, items }
}
