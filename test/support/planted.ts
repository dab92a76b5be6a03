import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { root } from './root'

export interface Planted {
  /** In which it would be. */
  folder: string
  text: string
}

interface Diagnostics {
  diagnostics: { code: string; filename: string; message: string }[]
}

const places = ['lib', 'nodes', 'virtual-device', 'editor', 'bench', 'test', 'scripts']

/** Lint results for each file, in a copy of the project; without typed rules. */
export async function lintPlanted(planted: readonly Planted[]): Promise<string[][]> {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'))
  try {
    for (const place of [...places, 'oxlint.config.mjs', 'package.json'])
      cpSync(join(root, place), join(copy, place), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
    // Before planting: the files would count as needs of their folders.
    const config = (await import(pathToFileURL(join(copy, 'oxlint.config.mjs')).href)) as { default: object }
    writeFileSync(join(copy, 'planted.json'), JSON.stringify({ ...config.default, options: {} }))
    const files = planted.map(({ folder }, index) => `${folder}/planted-${index}.ts`)
    planted.forEach(({ text }, index) => {
      writeFileSync(join(copy, files[index] ?? ''), text)
    })
    const { diagnostics } = await lint(copy, files)
    return files.map((file) =>
      diagnostics
        .filter(({ code, filename }) => filename === file && /restricted|expressions|empty-catch/.test(code))
        .map(({ message }) => message),
    )
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function lint(folder: string, files: readonly string[]): Promise<Diagnostics> {
  const program = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint')
  const args = [program, '--config=planted.json', '--format=json', ...files]
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 }
  // Exit code 1: something was found.
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: unknown) => error as { stdout: string },
  )
  return JSON.parse(stdout) as Diagnostics
}
