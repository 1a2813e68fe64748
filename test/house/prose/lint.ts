import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Node, Root } from 'mdast'
import { remark } from 'remark'
import remarkGfm from 'remark-gfm'
import remarkLintMaximumLineLength from 'remark-lint-maximum-line-length'
import remarkValidateLinks from 'remark-validate-links'
import { engine, type FileSet } from 'unified-engine'
import { VFile } from 'vfile'
import { englishRules } from './english.ts'
import { paragraphRule } from './paragraphs.ts'

const root = new URL('../../../', import.meta.url)

/** The longest line of prose: wrapped near 100 columns. */
const columns = 110

/** Pages that come from code: how wide their lines are is nobody's concern. */
const generated = /^docs\/reference\/(?:errors|configuration|expressions|write-skills)\.md$|^docs\/reference\/lint\/|^plugins\/[^/]+\/README\.md$/
/** Of those, pages of the texts that `registryTexts` has. */
const ofRegistries = /^docs\/reference\/(?:errors|configuration)\.md$|^docs\/reference\/lint\//

/** Every page of Markdown, by its path from the root. */
export function pages(): readonly string[] {
  const below = ['docs', 'plugins', 'playbooks', 'test'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  return [...readdirSync(root), ...below].filter((file) => file.endsWith('.md')).sort()
}

/** Paragraphs and lines that are too long, in what people have written into files. */
const layout = remark().use(paragraphRule).use(remarkLintMaximumLineLength, columns).freeze()

function pageRules() {
  const english = englishRules()
  return async (tree: Root, file: VFile): Promise<void> => {
    if (file.extname === '.md' && !generated.test(file.path)) await layout.run(tree, file)
    if (!ofRegistries.test(file.path)) await english(tree, file)
  }
}

/** Links to files and headings, without asking the network. */
function links(_: unknown, files: unknown): (tree: Node, file: VFile) => Promise<void> {
  const check = remarkValidateLinks({ repository: false, root: fileURLToPath(root) }, files as FileSet)
  return (tree, file) => check(tree as Root, file)
}

/** A page as the linter reads it. */
export function pageAt(path: string): VFile {
  return new VFile({ cwd: fileURLToPath(root), path, value: readFileSync(new URL(path, root)) })
}

/**
 * Reads prose: spelling, sentences, paragraphs, and in pages also the width of lines and links to files and headings.
 * @returns the files, with what is wrong in their messages
 */
export async function lintProse(files: readonly VFile[]): Promise<readonly VFile[]> {
  const [, , context] = await new Promise<readonly [unknown, unknown, { readonly files: readonly VFile[] }]>((resolve, reject) => {
    engine(
      {
        processor: () => remark().use(remarkGfm).use(pageRules),
        cwd: root,
        files: [...files],
        plugins: [links],
        out: false,
        silent: true,
        detectConfig: false,
        detectIgnore: false,
        streamError: process.stderr,
      },
      (error, code, context) => (error || !context ? reject(error) : resolve([error, code, context])),
    )
  })
  return context.files
}
