import PdfDocument from 'pdfkit'
import { openFace } from './face.ts'
import { drawable, linesOf } from './lines.ts'
import type { Block, Report } from './report.ts'

/** The most pages of a report, and the most lines of one text. */
const mostPages = 60
const mostLines = 150

const faces = {
  regular: openFace(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: openFace(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
}
const margin = 48
const gap = 10
const colours = { text: '#1c2530', quiet: '#5a6675', line: '#d5dae0' }

interface Style {
  readonly weight: keyof typeof faces
  /** In points. */
  readonly size: number
  readonly colour: string
}
const styles = {
  text: { weight: 'regular', size: 9, colour: colours.text },
  small: { weight: 'regular', size: 7.5, colour: colours.quiet },
  cell: { weight: 'regular', size: 8, colour: colours.text },
  head: { weight: 'bold', size: 8, colour: colours.text },
  title: { weight: 'bold', size: 15, colour: colours.text },
  section: { weight: 'bold', size: 11, colour: colours.text },
} as const satisfies Record<string, Style>

const about =
  'Invisible characters, and characters that this report cannot draw, are shown as their Unicode number, such as [U+202E]. ' +
  'Long texts are cut. The JSON export of the case has the whole texts.'

/**
 * Draws a report. Foreign text becomes nothing but glyphs: no links, no scripts, no form. Lines are broken here and not by the library, whose
 * way takes seconds for a long text without spaces.
 */
export async function draw({ name, blocks }: Report): Promise<Uint8Array> {
  const document = new PdfDocument({
    size: 'A4',
    margin,
    font: faces.regular.file,
    autoFirstPage: false,
    info: { Title: name, Producer: 'Tocsin', Creator: 'Tocsin' },
  })
  const parts: Buffer[] = []
  const ended = new Promise<void>((resolve, reject) =>
    document
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', resolve)
      .on('error', reject),
  )
  const sheet = new Sheet(document, name)
  for (const [at, block] of blocks.entries()) {
    sheet.block(block)
    if (at === 0) sheet.paragraph(about, styles.small)
    if (sheet.full) break
  }
  document.end()
  await ended
  return Buffer.concat(parts)
}

/** The pages of a report, filled from top to bottom. */
class Sheet {
  readonly #document: PDFKit.PDFDocument
  readonly #name: string
  #pages = 0
  #y = 0
  /** Whether the last page is full. What comes then is left out. */
  full = false

  constructor(document: PDFKit.PDFDocument, name: string) {
    this.#document = document
    this.#name = name
    this.#page()
  }

  block(block: Block): void {
    switch (block.kind) {
      case 'heading':
        this.#y += block.level === 1 ? 0 : gap
        // A heading does not stand alone at the end of a page.
        this.#room(60)
        return this.paragraph(block.text, block.level === 1 ? styles.title : styles.section)
      case 'paragraph':
        return this.paragraph(block.text, styles.text)
      case 'code':
        return this.paragraph(block.text, styles.cell, 10)
      case 'list':
        for (const item of block.items) this.paragraph(`– ${item}`, styles.text, 6)
        return
      case 'table':
        return this.#table(block)
    }
  }

  paragraph(text: string, style: Style, indent = 0): void {
    this.#row([{ text, style, x: margin + indent, width: this.#width - indent }])
    this.#y += gap / 2
  }

  get #width(): number {
    return this.#document.page.width - 2 * margin
  }

  #table({ head, rows }: Extract<Block, { kind: 'table' }>): void {
    const widths = columnsOf([head, ...rows.slice(0, 200)], this.#width)
    const draw = (cells: readonly string[], style: Style): void => {
      let x = margin
      const placed = cells.map((text, at) => {
        const cell = { text, style, x, width: (widths[at] ?? 0) - 6 }
        x += widths[at] ?? 0
        return cell
      })
      this.#row(placed)
      if (this.full) return
      const y = this.#y + 2
      this.#document
        .moveTo(margin, y)
        .lineTo(margin + this.#width, y)
        .lineWidth(0.5)
        .strokeColor(colours.line)
        .stroke()
      this.#y += 5
    }
    draw(head, styles.head)
    for (const row of rows) {
      if (this.full) return
      draw(row, styles.cell)
    }
    this.#y += gap / 2
  }

  /** Draws texts side by side, line by line, over as many pages as they need. */
  #row(cells: readonly { readonly text: string; readonly style: Style; readonly x: number; readonly width: number }[]): void {
    const broken = cells.map(({ text, style, width }) => {
      const face = faces[style.weight]
      return linesOf(drawable(text, face), face, width / style.size, mostLines)
    })
    const height = Math.max(...cells.map(({ style }) => style.size)) * 1.35
    const count = Math.max(...broken.map((lines) => lines.length))
    for (let at = 0; at < count; at += 1) {
      if (!this.#room(height)) return
      for (const [column, { style, x }] of cells.entries()) this.#line(broken[column]?.[at] ?? '', style, x, this.#y)
      this.#y += height
    }
  }

  #line(text: string, { weight, size, colour }: Style, x: number, y: number): void {
    if (text !== '') this.#document.font(faces[weight].file).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false })
  }

  /** Begins a new page if there is no room. @returns whether there is room now */
  #room(height: number): boolean {
    const bottom = this.#document.page.height - margin - gap
    if (this.#y + height <= bottom) return true
    if (this.#pages === mostPages) {
      if (!this.full)
        this.#line(`The report ends here, after ${mostPages} pages. The JSON export of the case has the rest.`, styles.head, margin, bottom)
      this.full = true
      return false
    }
    this.#page()
    return true
  }

  #page(): void {
    this.#document.addPage()
    this.#pages += 1
    this.#y = margin
    const foot = this.#document.page.height - margin + gap
    this.#line(`${this.#name}, page ${this.#pages}`, styles.small, margin, foot)
  }
}

/** Shares the width of a page between the columns of a table: what their texts need, and if that is too much, the wide ones get less. */
function columnsOf(rows: readonly (readonly string[])[], width: number): readonly number[] {
  const wants = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))) + 8)
  const fair = width / wants.length
  const left = width - wants.reduce((sum, want) => sum + (want <= fair ? want : 0), 0)
  const wide = wants.reduce((sum, want) => sum + (want <= fair ? 0 : Math.sqrt(want)), 0)
  return wants.map((want) => (want <= fair ? want : (Math.sqrt(want) / wide) * left))
}

/** Returns the width of the beginning of a text in the head of a table, which is wider than other cells. */
function widthOf(text: string): number {
  const { weight, size } = styles.head
  return Array.from(text.slice(0, 120)).reduce((sum, character) => sum + faces[weight].width(character.codePointAt(0) ?? 0), 0) * size
}
