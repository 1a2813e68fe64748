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

/** The longest line of prose. Lines wrap near 100 columns. */
const columns = 110

/** Generated pages. The width of their lines does not matter. */
const generated = /^docs\/reference\/(?:errors|configuration|expressions|write-skills)\.md$|^docs\/reference\/lint\/|^plugins\/[^/]+\/README\.md$/
/** Generated pages whose texts `registryTexts` has, so that they are checked there. */
const ofRegistries = /^docs\/reference\/(?:errors|configuration)\.md$|^docs\/reference\/lint\//

/** Returns the path of every Markdown page, from the root. */
export function pages(): readonly string[] {
  const below = ['docs', 'plugins', 'playbooks', 'test'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  return [...readdirSync(root), ...below].filter((file) => file.endsWith('.md')).sort()
}

/** Checks the length of paragraphs and lines, in pages that people write. */
const layout = remark().use(paragraphRule).use(remarkLintMaximumLineLength, columns).freeze()

function pageRules() {
  const english = englishRules()
  return async (tree: Root, file: VFile): Promise<void> => {
    if (file.extname === '.md' && !generated.test(file.path)) await layout.run(tree, file)
    if (!ofRegistries.test(file.path)) await english(tree, file)
  }
}

/** Checks links to files and headings. Does not use the network. */
function links(_: unknown, files: unknown): (tree: Node, file: VFile) => Promise<void> {
  const check = remarkValidateLinks({ repository: false, root: fileURLToPath(root) }, files as FileSet)
  return (tree, file) => check(tree as Root, file)
}

/** Makes the linter's file of a page. */
export function pageAt(path: string): VFile {
  return new VFile({ cwd: fileURLToPath(root), path, value: readFileSync(new URL(path, root)) })
}

/**
 * Checks spelling, sentences and paragraphs. In pages it also checks the width of lines, and links to files and headings.
 * @returns the files, with a message for each mistake
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
