import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './free-ports'
import { mustBeStopped } from './left-running'

/** `npm start` on free ports, with its own project folder. */
export interface Demo {
  editor: string
  device: string
  ports: { PORT: number; PLC_PORT: number; DEVICE_PORT: number }
  home: string
  output: () => string
  press: (node: string) => Promise<void>
  /** @returns the exit code */
  stop: (signal?: 'SIGTERM' | 'SIGINT') => Promise<number | null>
}

interface DemoOptions {
  args?: string[]
  env?: Record<string, string>
  /** Folder of an earlier demo, kept. @default a new one, removed at the end */
  home?: string
}

/** Milliseconds. */
const startWithin = 100_000

/** Rejects with its output if it ends before it is ready. */
export async function startDemo({ args = [], env = {}, home }: DemoOptions = {}): Promise<Demo> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'cellsight-')))
  const [PORT = 0, PLC_PORT = 0, DEVICE_PORT = 0] = await freePorts(3)
  const ports = { PORT, PLC_PORT, DEVICE_PORT }
  const script = join(__dirname, '..', '..', '..', 'scripts', 'start.mjs')
  const child = spawn(process.execPath, [script, ...args], {
    env: {
      ...process.env,
      CELLSIGHT_HOME: folder,
      NODE_OPTIONS: `--require ${join(__dirname, 'free-ports-only.js')}`,
      ...asText(ports),
      ...env,
    },
  })
  mustBeStopped(child, 'npm start')
  let output = ''
  const ended = once(child, 'close').then(() => child.exitCode)
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), startWithin)
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      if (!/\bready\b/.test(output)) return
      clearTimeout(late)
      resolve()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    void ended.then((code) => {
      clearTimeout(late)
      reject(new Error(`ended with ${code}: ${output}`))
    })
  })
  const cleanUp = () => (home ? undefined : rm(folder, { recursive: true, force: true }))
  try {
    await ready
  } catch (error) {
    await cleanUp()
    throw error
  }

  const editor = `http://127.0.0.1:${PORT}`
  return {
    editor,
    device: `http://127.0.0.1:${DEVICE_PORT}`,
    ports,
    home: folder,
    output: () => output,
    press: async (node) => {
      const { status } = await fetch(`${editor}/inject/${node}`, { method: 'POST' })
      if (status !== 200) throw new Error(`no inject node ${node}`)
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      const code = await ended
      await cleanUp()
      return code
    },
  }
}

const asText = (values: Record<string, number>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
