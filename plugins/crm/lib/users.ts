import { type Caller, runQuery, textIn } from './query.ts'
import { oneOf, quote, select } from './soql.ts'

/** More people of one name than this are no answer to who it was. */
const most = 50

/** Whether a text is the id of a user, which begins with 005. */
function isUserId(text: string): boolean {
  return /^005[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/.test(text)
}

/** The ids of the users that an id, a username, an e-mail address or a full name means. Empty: nobody. */
export async function userIds(call: Caller, user: string): Promise<readonly string[]> {
  if (isUserId(user)) return [user]
  const literal = quote(user)
  const names = ['Username', 'Email', 'Name'].map((field) => `${field} = ${literal}`)
  const { records } = await runQuery(call, select({ fields: ['Id'], from: 'User', where: [`(${names.join(' OR ')})`], limit: most }), most)
  return records.map((record) => textIn(record, 'Id'))
}

/** The conditions that a user of this name did it, where users cannot be looked up: the first that the platform understands counts. */
export function createdByName(user: string): readonly [byAny: string, byUsername: string] {
  const literal = quote(user)
  const username = `CreatedBy.Username = ${literal}`
  return [`(${username} OR CreatedBy.Email = ${literal} OR CreatedBy.Name = ${literal})`, username]
}

/** The condition that one of them did it. */
export function createdBy(ids: readonly string[]): string {
  return `CreatedById ${oneOf(ids)}`
}
