import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A PLC of one protocol at 127.0.0.1, whose program is the test. */
export interface PlcPeer {
  /** Begins to listen, with the memory that it has. */
  start: () => Promise<void>
  /** Breaks all connections. */
  stop: () => Promise<void>
  /** A restart without a battery. */
  forget: () => void
  set: (name: string, value: number) => void
  /** `state` is the word with the bits ready, busy, done, error. */
  get: (name: string) => number
}

/** Where `scripts/stages-with-packages.mjs` has installed the packages of others. */
export const packages = process.env['CELLSIGHT_TEST_PALETTE'] ?? ''

/** A package from there. */
export const installed = (name: string): unknown => createRequire(join(packages, 'package.json'))(name)

/** Words of the preset `sequence`: name, register, and type where it is not UINT. */
export const words: Readonly<Record<string, readonly [address: number, type: 'UINT' | 'INT' | 'REAL']>> = {
  sequence: [0, 'UINT'],
  job: [1, 'UINT'],
  plcLife: [2, 'UINT'],
  control: [3, 'UINT'],
  code: [8, 'INT'],
  counter: [9, 'UINT'],
  duration: [10, 'UINT'],
  jobEcho: [11, 'UINT'],
  count: [12, 'UINT'],
  ...Object.fromEntries(
    [0, 1, 2, 3, 4, 5].map((index) => [`pose1_${index + 1}`, [14 + 2 * index, 'REAL'] as const]),
  ),
  life: [26, 'UINT'],
  state: [27, 'UINT'],
  echo: [28, 'UINT'],
}
export const lastWord = 28

/** The memory of a PLC that has these words one after the other, big-endian. */
export function wordMemory() {
  const bytes = Buffer.alloc((lastWord + 2) * 2)
  const at = (name: string) => (words[name]?.[0] ?? 0) * 2
  return {
    bytes,
    forget: () => void bytes.fill(0),
    set: (name: string, value: number) => void bytes.writeUInt16BE(value, at(name)),
    get: (name: string) => {
      const type = words[name]?.[1]
      if (type === 'REAL') return bytes.readFloatBE(at(name))
      return type === 'INT' ? bytes.readInt16BE(at(name)) : bytes.readUInt16BE(at(name))
    },
  }
}
