/** Without a terminal, a line is printed after every so many steps. */
const linesEvery = 100
const width = 30

/** Shows the progress of long work on standard error: a bar on a terminal, else a line now and then. */
export class Progress {
  readonly #what: string
  readonly #total: number
  #done = 0

  /** @param what what is counted, in the plural: `writes` */
  constructor(what: string, total: number) {
    this.#what = what
    this.#total = total
    this.#draw()
  }

  step(): void {
    this.#done += 1
    this.#draw()
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  }

  #draw(): void {
    const count = `${this.#done} of ${this.#total} ${this.#what}`
    if (!process.stderr.isTTY) {
      if (this.#done > 0 && (this.#done % linesEvery === 0 || (this.#done === this.#total && this.#total > linesEvery)))
        process.stderr.write(`${count}\n`)
      return
    }
    const filled = this.#total === 0 ? width : Math.round((this.#done / this.#total) * width)
    process.stderr.write(`\r[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${count}`)
  }
}
