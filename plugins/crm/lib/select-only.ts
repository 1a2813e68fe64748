import { NoSelect, type Token, tokensOf } from './soql-tokens.ts'

export { NoSelect } from './soql-tokens.ts'

/**
 * Checks that a text is a single SELECT that changes nothing. It refuses other statements, several statements, comments, and the clauses that lock
 * records, mark them as viewed or update counts (FOR UPDATE, FOR VIEW, FOR REFERENCE, UPDATE TRACKING, UPDATE VIEWSTAT), also in subqueries. It
 * follows the vendor's grammar for SELECT, and leaves the names of objects, fields and functions to the platform. Takes linear time and memory.
 * @throws NoSelect
 */
export function assertSelect(soql: string): void {
  const tokens = tokensOf(soql)
  const [first] = tokens
  if (first?.kind !== 'word' || first.upper !== 'SELECT')
    throw new NoSelect(`Only SELECT may be run, not ${first?.kind === 'word' ? first.upper : 'this'}.`)
  new Statement(soql, tokens).read()
}

/** Words that begin or end a clause. They cannot be an alias. */
const reserved = new Set(
  'AND ASC DESC EXCLUDES FIRST FROM GROUP HAVING IN INCLUDES LAST LIKE LIMIT NOT NULL NULLS OR SELECT USING WHERE WITH OFFSET ORDER FOR UPDATE ALL AS'.split(
    ' ',
  ),
)
const comparisons = new Set(['=', '!=', '<>', '<', '<=', '>', '>='])
const categories = new Set(['AT', 'ABOVE', 'BELOW', 'ABOVE_OR_BELOW'])
/** Far more levels than the platform allows. */
const deepest = 50

class Statement {
  readonly #soql: string
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(soql: string, tokens: readonly Token[]) {
    this.#soql = soql
    this.#tokens = tokens
  }

  read(): void {
    this.#query()
    if (this.#at < this.#tokens.length) throw this.#lost()
  }

  /** Reads SELECT … FROM … and the other clauses, in order. */
  #query(): void {
    this.#deeper(() => {
      this.#need('SELECT')
      this.#list(() => this.#selected())
      this.#need('FROM')
      this.#list(() => {
        this.#path()
        this.#take('AS')
        this.#alias()
      })
      if (this.#take('USING')) {
        this.#need('SCOPE')
        this.#word()
      }
      if (this.#take('WHERE')) this.#condition()
      while (this.#take('WITH')) this.#with()
      if (this.#take('GROUP')) {
        this.#need('BY')
        this.#list(() => this.#operand())
      }
      if (this.#take('HAVING')) this.#condition()
      if (this.#take('ORDER')) {
        this.#need('BY')
        this.#list(() => this.#ordered())
      }
      if (this.#take('LIMIT')) this.#value()
      if (this.#take('OFFSET')) this.#value()
      if (this.#take('ALL')) this.#need('ROWS')
      this.#refuseChanges()
    })
  }

  /** Reads a field, a function, a subquery, or TYPEOF. */
  #selected(): void {
    if (this.#takeSign('(')) {
      this.#query()
      this.#needSign(')')
      return
    }
    if (this.#is('TYPEOF') && this.#tokens[this.#at + 1]?.kind === 'word' && !this.#is('FROM', 1)) return this.#typeOf()
    this.#operand()
    this.#alias()
  }

  /** Reads, for example, TYPEOF What WHEN Account THEN Phone, Name ELSE Name END. */
  #typeOf(): void {
    this.#need('TYPEOF')
    this.#path()
    do {
      this.#need('WHEN')
      this.#word()
      this.#need('THEN')
      this.#list(() => this.#path())
    } while (this.#is('WHEN'))
    if (this.#take('ELSE')) this.#list(() => this.#path())
    this.#need('END')
  }

  #ordered(): void {
    this.#operand()
    if (!this.#take('ASC')) this.#take('DESC')
    if (this.#take('NULLS') && !this.#take('FIRST')) this.#need('LAST')
  }

  /** Reads comparisons that are combined with AND, OR and NOT. */
  #condition(): void {
    this.#deeper(() => {
      do {
        while (this.#take('NOT'));
        if (this.#takeSign('(')) {
          this.#condition()
          this.#needSign(')')
        } else this.#comparison()
      } while (this.#take('AND') || this.#take('OR'))
    })
  }

  #comparison(): void {
    this.#operand()
    const next = this.#tokens[this.#at]
    if (next?.kind === 'sign' && comparisons.has(next.text)) {
      this.#at += 1
      return this.#value()
    }
    if (this.#take('LIKE')) return this.#value()
    if (this.#take('INCLUDES') || this.#take('EXCLUDES')) return this.#values()
    this.#take('NOT')
    this.#need('IN')
    this.#values()
  }

  /** Reads a list of values, or a subquery. */
  #values(): void {
    this.#refuseVariable()
    this.#needSign('(')
    if (this.#is('SELECT')) this.#query()
    else this.#list(() => this.#value())
    this.#needSign(')')
  }

  /** Reads WITH SECURITY_ENFORCED, WITH USER_MODE, WITH DATA CATEGORY …, WITH NETWORK = '…', WITH RecordVisibilityContext (…) */
  #with(): void {
    if (this.#take('DATA')) {
      this.#need('CATEGORY')
      do this.#category()
      while (this.#take('AND'))
      return
    }
    this.#path()
    const next = this.#tokens[this.#at]
    if (next?.kind === 'sign' && comparisons.has(next.text)) {
      this.#at += 1
      this.#value()
    } else if (this.#take('IN')) this.#values()
    else if (this.#takeSign('(')) {
      this.#list(() => {
        this.#word()
        this.#needSign('=')
        this.#value()
      })
      this.#needSign(')')
    }
  }

  #category(): void {
    this.#word()
    const next = this.#tokens[this.#at]
    if (next?.kind !== 'word' || !categories.has(next.upper)) throw this.#lost()
    this.#at += 1
    if (!this.#takeSign('(')) return void this.#word()
    this.#list(() => this.#word())
    this.#needSign(')')
  }

  /** Reads `Account.Name`, or a function of fields and values: `FORMAT(MIN(CloseDate))`, `DISTANCE(Place__c, GEOLOCATION(37.7, -122.4), 'mi')`. */
  #operand(): void {
    this.#deeper(() => {
      this.#path()
      if (!this.#takeSign('(')) return
      if (this.#takeSign(')')) return
      this.#list(() => (this.#tokens[this.#at]?.kind === 'word' ? this.#operand() : this.#value()))
      this.#needSign(')')
    })
  }

  /** Reads a text, a number, a date, NULL, TRUE, `LAST_N_DAYS:7`, `USD5000.50`. */
  #value(): void {
    this.#refuseVariable()
    const signed = this.#takeSign('-') || this.#takeSign('+')
    if (this.#tokens[this.#at]?.kind === 'value') {
      this.#at += 1
      return
    }
    if (signed) throw this.#lost()
    this.#word()
    const rest = this.#tokens[this.#at]
    if (rest?.kind === 'value' && rest.text.startsWith('.')) this.#at += 1
    else if (this.#takeSign(':')) {
      this.#takeSign('-')
      if (this.#tokens[this.#at]?.kind !== 'value') throw this.#lost()
      this.#at += 1
    }
  }

  #refuseVariable(): void {
    const next = this.#tokens[this.#at]
    if (next?.kind === 'sign' && next.text === ':') throw new NoSelect('A name after a colon is a variable of Apex; write the value itself.')
  }

  #list(item: () => void): void {
    do item()
    while (this.#takeSign(','))
  }

  #path(): void {
    do this.#word()
    while (this.#takeSign('.'))
  }

  #alias(): void {
    const next = this.#tokens[this.#at]
    if (next?.kind === 'word' && !reserved.has(next.upper)) this.#at += 1
  }

  /** Refuses clauses that make a SELECT change something: they lock records, mark them as viewed, or count views and searches. */
  #refuseChanges(): void {
    const [first, second] = [this.#tokens[this.#at], this.#tokens[this.#at + 1]]
    const clause = first?.kind === 'word' && second?.kind === 'word' ? `${first.upper} ${second.upper}` : ''
    if (clause.startsWith('FOR ')) throw new NoSelect(`${clause} changes the records that the statement selects. Leave it out.`)
    if (clause.startsWith('UPDATE ')) throw new NoSelect(`${clause} changes statistics of the platform. Leave it out.`)
  }

  #deeper(read: () => void): void {
    this.#depth += 1
    if (this.#depth > deepest) throw new NoSelect(`It is nested deeper than ${deepest} levels.`)
    read()
    this.#depth -= 1
  }

  #is(word: string, ahead = 0): boolean {
    const next = this.#tokens[this.#at + ahead]
    return next?.kind === 'word' && next.upper === word
  }

  #take(word: string): boolean {
    if (!this.#is(word)) return false
    this.#at += 1
    return true
  }

  #need(word: string): void {
    if (!this.#take(word)) throw this.#lost(word)
  }

  #takeSign(sign: string): boolean {
    const next = this.#tokens[this.#at]
    if (next?.kind !== 'sign' || next.text !== sign) return false
    this.#at += 1
    return true
  }

  #needSign(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#lost(sign)
  }

  #word(): void {
    if (this.#tokens[this.#at]?.kind !== 'word') throw this.#lost()
    this.#at += 1
  }

  #lost(wanted?: string): NoSelect {
    const next = this.#tokens[this.#at]
    const instead = wanted === undefined ? '' : ` where ${wanted} is needed`
    if (next === undefined) return new NoSelect(`The statement is not understood: it ends${instead}.`)
    const before = this.#soql
      .slice(Math.max(0, next.at - 20), next.at)
      .replaceAll(/\s+/g, ' ')
      .trimStart()
    return new NoSelect(`The statement is not understood: ${next.text.slice(0, 40)} after "${before}"${instead}, at character ${next.at + 1}.`)
  }
}
