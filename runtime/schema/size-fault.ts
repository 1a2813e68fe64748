/**
 * Says how long a value must be, for whoever gave it. The words are the same for requests and for the inputs of skills.
 * @param keyword the keyword of JSON Schema that failed
 * @param member what a member of an object is called there
 * @returns null if the keyword limits no length
 */
export function sizeFault(keyword: string, limit: number, member: 'field' | 'member'): string | null {
  switch (keyword) {
    case 'minProperties':
      return `needs at least ${counted(member, limit)}`
    case 'maxProperties':
      return `may have ${counted(member, limit)} at most`
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `needs at least ${counted('item', limit)}`
    case 'maxItems':
      return limit === 0 ? 'must be empty' : `may have ${counted('item', limit)} at most`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `needs at least ${counted('character', limit)}`
    case 'maxLength':
      return limit === 0 ? 'must be empty' : `may have ${counted('character', limit)} at most`
    default:
      return null
  }
}

function counted(thing: string, count: number): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
