import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { seenFrom, turned } from '../robotics/seeded-poses'
import { root } from '../support/root'
import { documents, type CodeBlock } from './documents'

/** A folder from which programs find the package by its name, as in a project that has installed it. */
const inside = join(root, 'dist', 'test', 'docs')

const programs = documents.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'ts'))

const compilerOptions = {
  module: 'node20',
  target: 'es2022',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
}

describe('the code in the documentation', () => {
  let device: VirtualDevice
  let folder: string
  /** What the compiler says of all of them, a line each. */
  let problems: string[]

  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    mkdirSync(inside, { recursive: true })
    folder = mkdtempSync(join(inside, 'blocks-'))
    await writeArtifact(join(folder, 'firmware.img'), { version: 'v9.0.0', size: 4096 })
    const robots = [0, 20, 40, 60].map((angle, index) =>
      turned((['x', 'y', 'z'] as const)[index % 3] ?? 'x', angle, 0.1 * index),
    )
    writeFileSync(join(folder, 'observations.json'), JSON.stringify(seenFrom(robots, true)))
    for (const block of programs) writeFileSync(fileOf(block), here(block.code))
    problems = await compiled()
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await device.stop()
  })

  for (const { path, blocks } of documents)
    for (const block of blocks)
      if (block.language || /^(npx|npm|curl)/.test(block.code))
        it(`runs: ${path}, line ${block.line}`, () => run(block))

  function run(block: CodeBlock): Promise<void> | void {
    switch (block.language) {
      case 'ts':
        return runProgram(block)
      case 'json':
        JSON.parse(block.code)
        return
      case '':
        return runCommands(block.code)
      default:
        throw new Error(`no way to run ${block.language}`)
    }
  }

  /** With the virtual device instead of the real one, and its files in an existing folder. */
  async function runProgram(block: CodeBlock) {
    const file = fileOf(block)
    problems.filter((problem) => problem.startsWith(basename(file))).should.deepEqual([])
    const runnable = file.replace(/\.mts$/, '.mjs')
    // The device runs in this process and must be able to answer.
    const child = spawn(process.execPath, [runnable], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    const [status] = (await once(child, 'exit')) as [number | null]
    should(status).equal(0)
  }

  /** Checks and compiles all programs at once. @returns what is wrong with them */
  async function compiled(): Promise<string[]> {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    const compiler = join(root, 'node_modules', 'tsc', 'bin', 'tsc')
    const printed = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, '--pretty', 'false'], { cwd: folder }, (_error, stdout) =>
        resolve(stdout),
      )
    })
    for (const block of programs)
      should(existsSync(fileOf(block).replace(/\.mts$/, '.mjs'))).equal(true, `not compiled:\n${printed}`)
    return printed.split('\n').filter(Boolean)
  }

  const fileOf = (block: CodeBlock) => join(folder, `block-${programs.indexOf(block)}.mts`)

  const here = (code: string) =>
    code
      .replace(/(http:\/\/)?192\.168\.0\.10/g, device.url)
      .replace(/'[^']*\/firmware\.img'/g, JSON.stringify(join(folder, 'firmware.img')))

  async function runCommands(text: string) {
    for (const line of text.trim().split('\n')) {
      const [program = '', ...args] = words(line)
      if (program === 'npx') await startsUp(args)
      else if (program === 'curl') await asks(args)
      else if (program === 'npm') args.join(' ').should.match(/^(start|test)$/)
      else throw new Error(`no way to run ${line}`)
    }
  }

  /** Waits until the program reports that it is ready; on a free port and with its state in a temporary folder. */
  async function startsUp([option, from, name, ...args]: string[]) {
    // Without the package's name it would be found only where the package is installed.
    should([option, from, name]).eql(['-p', '@cellsight/node-red-vision', 'virtual-vision-device'])
    const own = args.map((arg, index) =>
      args[index - 1] === '--port'
        ? '0'
        : args[index - 1] === '--state'
          ? mkdtempSync(join(tmpdir(), 'cellsight-'))
          : arg,
    )
    const cli = join(root, 'dist', 'virtual-device', 'program', 'cli.js')
    const child = spawn(process.execPath, [cli, ...own], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    child.kill()
    await once(child, 'exit')
    const state = own[own.indexOf('--state') + 1]
    if (own.includes('--state') && state) rmSync(state, { recursive: true, force: true })
    said.toString().should.containEql('ready at http://127.0.0.1')
  }

  async function asks(args: string[]) {
    const value = (flag: string) => args[args.indexOf(flag) + 1] ?? ''
    const method = args.includes('-X') ? value('-X') : 'GET'
    const url = args.find((arg) => /^(localhost|127\.0\.0\.1|http)/.test(arg)) ?? ''
    const body = args.includes('-d') ? value('-d') : undefined
    const answer = await fetch(url.replace(/^(http:\/\/)?(localhost|127\.0\.0\.1):\d+/, device.url), {
      method,
      ...(body && { body, headers: { 'content-type': 'application/json' } }),
    })
    answer.status.should.equal(200)
  }
})

/** The words of a command line; text in single quotes is one word. */
const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
