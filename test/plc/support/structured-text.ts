import { compileFunction } from 'node:vm'

/** A function block that runs here: a small part of Structured Text and SCL, as our programs use it. */
export interface RunningBlock {
  /** Variables by name; a name that is not declared throws, and so does a value beyond its type. */
  vars: Record<string, unknown>
  /** Lists of variables and data blocks by name. */
  globals: Record<string, Record<string, unknown>>
  /** One call, at so many milliseconds. @returns what it read and wrote of lists and data blocks, in this order */
  call: (now: number) => string[]
}

const keywords: Readonly<Record<string, string>> = {
  IF: 'if (',
  THEN: ') {',
  ELSIF: '} else if (',
  ELSE: '} else {',
  END_IF: '}',
  AND: '&',
  OR: '|',
  NOT: '!',
  TRUE: 'true',
  FALSE: 'false',
  '=': '==',
  '<>': '!=',
  ':=': '=',
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  INT: [-32_768, 32_767],
  UINT: [0, 65_535],
  WORD: [0, 65_535],
  DINT: [-2_147_483_648, 2_147_483_647],
  UDINT: [0, 4_294_967_295],
  DWORD: [0, 4_294_967_295],
}

export function runProgram(source: string): RunningBlock {
  const text = source.replace(/\/\/.*$/gm, '')
  const types = new Map<string, string>()
  for (const [, name = '', members = ''] of text.matchAll(
    /\bTYPE\s+"?(\w+)"?[\s\S]*?(?:STRUCT|UNION)([\s\S]*?)END_/g,
  ))
    types.set(name, members)
  const lists = [
    ...[...source.matchAll(/DATA_BLOCK "([^"]*)"[\s\S]*?STRUCT([\s\S]*?)END_STRUCT/g)],
    ...[...source.matchAll(/\/\/ (\w+)\nVAR_GLOBAL([\s\S]*?)END_VAR/g)],
  ].map(([, name = '', members = '']): [string, string] => [name, members.replace(/\/\/.*$/gm, '')])
  const [, block = ''] = /FUNCTION_BLOCK([\s\S]*)END_FUNCTION_BLOCK/.exec(text) ?? []
  const declared = [...block.matchAll(/VAR\w*([\s\S]*?)END_VAR/g)].map(([, lines = '']) => lines).join('\n')
  const body = block.slice(block.lastIndexOf('END_VAR') + 'END_VAR'.length).replace('BEGIN', '')

  let clock = 0
  const timer = () => {
    let since: number | undefined
    const call = (on: unknown, after: number) => {
      since = on ? (since ?? clock) : undefined
      call.Q = since !== undefined && clock - since >= after
    }
    call.Q = false
    return call
  }
  const initial = (type: string): unknown => {
    if (type === 'BOOL') return false
    if (/^TON/.test(type)) return timer()
    const [, last] = /^ARRAY\[0\.\.(\d+)\] OF WORD$/.exec(type) ?? []
    if (last !== undefined) return Array.from({ length: Number(last) + 1 }, () => 0)
    if (type.startsWith('STRING')) return ''
    const members = types.get(type.replaceAll('"', ''))
    return members === undefined ? 0 : variables(members, type.includes('Bits'))
  }
  const variables = (lines: string, isUnion = false) => {
    const typeOf = new Map<string, string>()
    const values: Record<string, unknown> = {}
    for (const [line, name = '', type = '', value] of lines.matchAll(
      /"?(\w+)"?\s*:\s*([^;:]+?)(?:\s*:=\s*(?:T#(\d+)s|TRUE))?;/g,
    )) {
      typeOf.set(name, type)
      values[name] = value === undefined ? line.includes(':= TRUE') || initial(type) : Number(value) * 1000
    }
    return new Proxy(values, {
      get: (_, name) => {
        if (typeof name === 'string' && !typeOf.has(name)) throw new Error(`${name} is not declared`)
        return values[name as string]
      },
      set: (_, name, value: unknown) => {
        const type = typeOf.get(name as string)
        if (type === undefined) throw new Error(`${String(name)} is not declared`)
        values[name as string] = checked(String(name), type, value)
        if (isUnion) Object.assign(values, unionOf(name as string, Number(value)))
        return true
      },
      ownKeys: () => [...typeOf.keys()],
    })
  }

  const vars = variables(declared)
  const globals = Object.fromEntries(lists.map(([name, members]) => [name, variables(members)]))
  let touched: string[] = []
  const watched = (list: object, path: string): object =>
    new Proxy(list, {
      get: (_, name: string) => {
        const value: unknown = Reflect.get(list, name)
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          return watched(value, `${path}${name}.`)
        touched.push(`${path}${name}`)
        return value
      },
      set: (_, name: string, value: unknown) => {
        touched.push(`${path}${name}`)
        return Reflect.set(list, name, value)
      },
    })
  /** A global label of GX Works has no list before its name. */
  const labels = (name: string): object | undefined => {
    const list = globals['VisionLabels']
    return list && Reflect.ownKeys(list).includes(name) ? watched(list, '') : undefined
  }
  const scope = new Proxy(vars, {
    get: (_, name: string) => {
      const list = globals[name]
      const label = labels(name)
      if (label) return Reflect.get(label, name) as unknown
      return list ? watched(list, `${name}.`) : vars[name]
    },
    set: (_, name: string, value) => Reflect.set(labels(name) ?? vars, name, value),
  })
  const run = compileFunction(scriptOf(body), ['v', 'f']) as (v: unknown, f: unknown) => void
  return {
    vars,
    globals,
    call: (now) => {
      clock = now
      touched = []
      run(scope, functions)
      return touched
    },
  }
}

function checked(name: string, type: string, value: unknown): unknown {
  const range = ranges[type]
  if (type === 'BOOL') return Boolean(value)
  // JavaScript has signs where 32 bit are joined.
  if (type === 'DWORD') return Number(value) >>> 0
  if (type === 'REAL') return Math.fround(Number(value))
  if (range && !(Number.isInteger(value) && (value as number) >= range[0] && (value as number) <= range[1]))
    throw new Error(`${name} : ${type} cannot be ${String(value)}`)
  // A structure is copied, and keeps what it is.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value
}

const bytes = new DataView(new ArrayBuffer(4))
const realOf = (bits: number): number => {
  bytes.setUint32(0, bits)
  return bytes.getFloat32(0)
}
const bitsOfReal = (real: number): number => {
  bytes.setFloat32(0, real)
  return bytes.getUint32(0)
}
const unionOf = (name: string, value: number) =>
  name === 'bits' ? { number: realOf(value) } : { bits: bitsOfReal(value) }

const functions = new Proxy(
  {},
  {
    get: (_, name: string) => (value: number, bits: number) => {
      const [, from = '', to = ''] = /^(\w+)_TO_(\w+)$/.exec(name) ?? []
      if (name === 'SHL') return (value << bits) >>> 0
      if (name === 'SHR') return value >>> bits
      if (name === 'ROL') return ((value << bits) | (value >> (16 - bits))) & 0xffff
      if (from === 'DWORD' && to === 'REAL') return realOf(value)
      if (from === 'REAL') return bitsOfReal(value)
      if (to === 'INT') return (value << 16) >> 16
      if (to === 'DINT') return value | 0
      return to === 'WORD' ? value & 0xffff : value >>> 0
    },
  },
)

/** JavaScript of the statements. */
function scriptOf(body: string): string {
  const tokens =
    body.match(/T#\d+s|(?:D?WORD#)?16#[0-9A-F]+|"[^"]*"|#?[A-Za-z_]\w*|\d+|:=|<>|>=|<=|\S/g) ?? []
  return tokens
    .map((token, place) => {
      const [next, before] = [tokens[place + 1], tokens[place - 1]]
      if (/^(IN|N|PT)$/.test(token) && next === ':=') return ''
      if (token === ':=' && before !== undefined && /^(IN|N|PT)$/.test(before)) return ''
      const known = keywords[token]
      if (known !== undefined) return known
      if (token.startsWith('T#')) return String(Number.parseInt(token.slice(2)) * 1000)
      if (token.includes('16#')) return `0x${token.split('#').at(-1) ?? ''}`
      if (/^(SHL|SHR|ROL|\w+_TO_\w+)$/.test(token)) return `f.${token}`
      const name = JSON.stringify(token.replace(/^#|"/g, ''))
      if (token === '.' && next?.startsWith('"')) return ''
      if (before === '.') return token.startsWith('"') ? `[${name}]` : token
      return /^[#"A-Za-z_]/.test(token) ? `v[${name}]` : token
    })
    .join(' ')
}
