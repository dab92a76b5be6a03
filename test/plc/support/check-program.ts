import type { ProgramLanguage } from '../../../lib/plc/program'

/**
 * Checks a program as a compiler does, apart from our writer and from what runs it: it is balanced, all names are declared once,
 * and each expression has the type that its place needs; no type is converted by itself, and no index is outside its array.
 * @throws Error with the line of what is wrong
 */
export function checkProgram(source: string, language: ProgramLanguage | 'melsec'): void {
  new Checker(source, language).program()
}

/** A type: of a value, or of a structure with members, or of elements. */
interface Type {
  name: string
  members?: Map<string, Type>
  /** Elements of an array. */
  count?: number
  of?: Type
}

interface Token {
  kind: 'word' | 'quoted' | 'local' | 'number' | 'literal' | 'sign'
  text: string
  line: number
}

/** Ranges of what a whole number may be assigned to. */
const wholes: Readonly<Record<string, readonly [number, number]>> = {
  INT: [-32_768, 32_767],
  UINT: [0, 65_535],
  DINT: [-2_147_483_648, 2_147_483_647],
  UDINT: [0, 4_294_967_295],
}
const bitStrings: Readonly<Record<string, number>> = { BYTE: 8, WORD: 16, DWORD: 32 }
const elementary = new Set(['BOOL', 'REAL', 'TIME', ...Object.keys(wholes), ...Object.keys(bitStrings)])
const keywords = new Set(
  `IF THEN ELSIF ELSE END_IF AND OR NOT TRUE FALSE TYPE END_TYPE STRUCT END_STRUCT UNION END_UNION VAR VAR_INPUT VAR_OUTPUT
  VAR_IN_OUT VAR_GLOBAL END_VAR FUNCTION_BLOCK END_FUNCTION_BLOCK DATA_BLOCK END_DATA_BLOCK BEGIN ARRAY OF STRING MOD XOR`.split(
    /\s+/,
  ),
)
/** A whole number in the text: it fits any type whose range has it. */
const whole = (value: number): Type & { value: number } => ({ name: 'a whole number', value })

class Checker {
  readonly #tokens: Token[]
  readonly #isScl: boolean
  /** GX Works counts in WORD and DWORD, and its global labels have no list before their name. */
  readonly #isMelsec: boolean
  readonly #wholes: typeof wholes
  readonly #types = new Map<string, Type>()
  readonly #globals = new Map<string, Type>()
  #locals = new Map<string, Type>()
  #at = 0

  constructor(source: string, language: ProgramLanguage | 'melsec') {
    this.#isScl = language === 'scl'
    this.#isMelsec = language === 'melsec'
    this.#wholes = this.#isMelsec ? { ...wholes, WORD: [0, 65_535], DWORD: [0, 4_294_967_295] } : wholes
    this.#tokens = tokensOf(source)
    const timer: Type = { name: 'timer', members: new Map([['q', { name: 'BOOL' }]]) }
    this.#types.set(this.#isScl ? 'ton_time' : 'ton', timer)
  }

  program(): void {
    let blocks = 0
    while (this.#peek()) {
      if (this.#takes('TYPE')) this.#type()
      else if (this.#takes('DATA_BLOCK')) this.#dataBlock()
      else if (this.#peek()?.text.startsWith('// ')) this.#list()
      else {
        this.#expect('FUNCTION_BLOCK')
        this.#block()
        blocks++
      }
    }
    if (blocks !== 1) throw new Error(`${blocks} function blocks`)
  }

  #type(): void {
    const name = this.#globalName()
    if (this.#isScl) this.#version()
    else this.#expect(':')
    const end = this.#takes('UNION') ? 'END_UNION' : (this.#expect('STRUCT'), 'END_STRUCT')
    declare(this.#types, name, { name, members: this.#members(end) }, this.#line)
    if (this.#isScl) this.#expect(';')
    this.#expect('END_TYPE')
  }

  #dataBlock(): void {
    this.#need(this.#isScl, 'data blocks are of SCL')
    const name = this.#globalName()
    this.#pragma()
    this.#version()
    this.#expect('STRUCT')
    declare(this.#globals, name, { name, members: this.#members('END_STRUCT') }, this.#line)
    this.#expect(';')
    this.#expect('BEGIN')
    this.#expect('END_DATA_BLOCK')
  }

  /** A list of variables has its name in the comment above it. */
  #list(): void {
    const name = this.#next().text.slice(3)
    this.#expect('VAR_GLOBAL')
    this.#need(!this.#isScl, 'lists are of Structured Text')
    const members = this.#members('END_VAR')
    if (!this.#isMelsec) declare(this.#globals, name, { name, members }, this.#line)
    else for (const [label, type] of members) declare(this.#globals, label, type, this.#line)
  }

  #block(): void {
    this.#globalName()
    if (this.#isScl) {
      this.#pragma()
      this.#version()
    }
    while (/^VAR/.test(this.#peek()?.text ?? '')) {
      this.#next()
      for (const [name, type] of this.#members('END_VAR')) declare(this.#locals, name, type, this.#line)
    }
    if (this.#isScl) this.#expect('BEGIN')
    this.#statements('END_FUNCTION_BLOCK')
    this.#next()
    this.#locals = new Map()
  }

  #members(end: string): Map<string, Type> {
    const members = new Map<string, Type>()
    while (!this.#takes(end)) {
      const { kind, text } = this.#next()
      this.#need(kind === 'word' || (kind === 'quoted' && this.#isScl), `${text} is no name`)
      this.#need(kind === 'quoted' || !keywords.has(text.toUpperCase()), `${text} is a keyword`)
      this.#expect(':')
      const type = this.#typeName()
      if (this.#takes(':=')) this.#assign(type, this.#expression())
      this.#expect(';')
      declare(members, text, type, this.#line)
    }
    this.#need(members.size > 0, `nothing before ${end}`)
    return members
  }

  #typeName(): Type {
    const { kind, text } = this.#next()
    if (text === 'ARRAY') {
      this.#expect('[')
      this.#expect('0')
      this.#expect('..')
      const last = Number(this.#next().text)
      this.#need(last >= 0, 'an array without elements')
      this.#expect(']')
      this.#expect('OF')
      const of = this.#typeName()
      return { name: `array of ${last + 1} ${of.name}`, count: last + 1, of }
    }
    if (text === 'STRING') {
      this.#expect('[')
      const length = Number(this.#next().text)
      this.#need(length >= 1 && length <= 254, `a text of ${length}`)
      this.#expect(']')
      return { name: `STRING[${length}]` }
    }
    if (elementary.has(text)) {
      this.#need(!this.#isMelsec || !/^UD?INT$/.test(text), `type ${text} in GX Works`)
      return { name: text }
    }
    const type = this.#types.get(text.toLowerCase())
    const isQuoted = kind === 'quoted'
    if (!type) throw new Error(`line ${this.#line}: type ${text} is not declared`)
    this.#need(isQuoted === (this.#isScl && type.name !== 'timer'), `quotes of ${text}`)
    return type
  }

  #statements(...ends: string[]): string {
    for (;;) {
      const token = this.#peek()
      if (!token) throw new Error(`end of text instead of ${ends.join(' or ')}`)
      if (ends.includes(token.text)) return token.text
      if (this.#takes('IF')) this.#if()
      else this.#assignment()
    }
  }

  #if(): void {
    for (;;) {
      this.#is('BOOL', this.#expression())
      this.#expect('THEN')
      const end = this.#statements('ELSIF', 'ELSE', 'END_IF')
      this.#next()
      if (end === 'ELSIF') continue
      if (end === 'ELSE') {
        this.#statements('END_IF')
        this.#next()
      }
      this.#expect(';')
      return
    }
  }

  #assignment(): void {
    const target = this.#variable(this.#next())
    if (target.name === 'timer' && this.#takes('(')) {
      this.#parameter('IN', 'BOOL')
      this.#expect(',')
      this.#parameter('PT', 'TIME')
      this.#expect(')')
    } else {
      this.#expect(':=')
      this.#assign(target, this.#expression())
    }
    this.#expect(';')
  }

  #parameter(name: string, type: string): void {
    this.#expect(name)
    this.#expect(':=')
    this.#is(type, this.#expression())
  }

  #expression(): Type {
    let type = this.#conjunction()
    while (this.#takes('OR')) type = this.#same(type, this.#conjunction(), 'OR')
    return type
  }

  #conjunction(): Type {
    let type = this.#comparison()
    while (this.#takes('AND')) type = this.#same(type, this.#comparison(), 'AND')
    return type
  }

  #comparison(): Type {
    const type = this.#sum()
    if (!/^(=|<>|>=|<=|<|>)$/.test(this.#peek()?.text ?? '')) return type
    this.#next()
    this.#compatible(type, this.#sum())
    return { name: 'BOOL' }
  }

  #sum(): Type {
    let type = this.#factor()
    while (this.#takes('+')) {
      const other = this.#factor()
      this.#compatible(type, other)
      this.#need(type.name in this.#wholes || type.name === 'REAL', `${type.name} is not added`)
      type = { name: type.name }
    }
    return type
  }

  #factor(): Type {
    const token = this.#next()
    const { kind, text } = token
    if (text === '(') {
      const type = this.#expression()
      this.#expect(')')
      return type
    }
    if (text === 'NOT') {
      const type = this.#factor()
      this.#is('BOOL', type)
      return type
    }
    if (text === 'TRUE' || text === 'FALSE') return { name: 'BOOL' }
    if (kind === 'number') return whole(Number(text))
    if (kind === 'literal') {
      this.#need(
        text.startsWith('16#') === (this.#isMelsec && !text.startsWith('T#')),
        `${text} as it is written`,
      )
      return literal(text, this.#line)
    }
    if (this.#peek()?.text === '(' && kind === 'word') return this.#call(text)
    return this.#variable(token)
  }

  #call(name: string): Type {
    this.#expect('(')
    if (/^(SHL|SHR|ROL)$/.test(name)) {
      this.#expect('IN')
      this.#expect(':=')
      const type = this.#expression()
      this.#need(type.name in bitStrings, `${name} of ${type.name}`)
      this.#expect(',')
      this.#expect('N')
      this.#expect(':=')
      const by = this.#expression() as Type & { value?: number }
      this.#need(
        (by.value ?? Infinity) < (bitStrings[type.name] ?? 0),
        `${name} by ${by.value ?? 'a variable'}`,
      )
      this.#expect(')')
      return type
    }
    const [, from = '', to = ''] = /^([A-Z]+)_TO_([A-Z]+)$/.exec(name) ?? []
    this.#need(elementary.has(from) && elementary.has(to), `${name} is no function`)
    // Its meaning differs between controllers.
    if (!this.#isScl) this.#need(from !== 'REAL' && to !== 'REAL', `${name} in Structured Text`)
    this.#is(from, this.#expression())
    this.#expect(')')
    return { name: to }
  }

  #variable({ kind, text }: Token): Type {
    const scope =
      kind === 'local' || (!this.#isScl && this.#locals.has(text.toLowerCase()))
        ? this.#locals
        : this.#globals
    this.#need(
      kind === (this.#isScl ? (scope === this.#locals ? 'local' : 'quoted') : 'word'),
      `${text} as it is written`,
    )
    let type = scope.get(text.replace('#', '').toLowerCase())
    if (!type) throw new Error(`line ${this.#line}: ${text} is not declared`)
    for (;;) {
      if (this.#takes('.')) {
        const { text: name } = this.#next()
        const member: Type | undefined = type.members?.get(name.toLowerCase())
        if (!member) throw new Error(`line ${this.#line}: ${type.name} has no ${name}`)
        type = member
      } else if (this.#takes('[')) {
        const index = Number(this.#next().text)
        this.#need(type.of !== undefined && index < (type.count ?? 0), `index ${index} of ${type.name}`)
        type = type.of ?? type
        this.#expect(']')
      } else return type
    }
  }

  #assign(target: Type, value: Type): void {
    this.#compatible(target, value)
  }

  /** No type becomes another one by itself; a number in the text fits where its range has it. */
  #compatible(one: Type, other: Type & { value?: number }): void {
    const { value } = other
    if (value === undefined) {
      this.#need(one.name === other.name, `${one.name} and ${other.name}`)
      return
    }
    const [least, most] = this.#wholes[one.name] ?? (one.name === 'REAL' ? [-(2 ** 24), 2 ** 24] : [1, 0])
    this.#need(value >= least && value <= most, `${one.name} and ${value}`)
  }

  #same(one: Type, other: Type, operator: string): Type {
    this.#need(one.name === other.name, `${one.name} ${operator} ${other.name}`)
    this.#need(one.name === 'BOOL' || one.name in bitStrings, `${operator} of ${one.name}`)
    return one
  }

  #is(name: string, type: Type): void {
    this.#need(type.name === name, `${type.name} instead of ${name}`)
  }

  #globalName(): string {
    const { kind, text } = this.#next()
    this.#need(kind === (this.#isScl ? 'quoted' : 'word'), `${text} as a name`)
    return text
  }

  #version(): void {
    this.#expect('VERSION')
    this.#expect(':')
    this.#expect('0.1')
  }

  #pragma(): void {
    for (const text of ['{', 'S7_Optimized_Access', ':=']) this.#expect(text)
    this.#need(/^'(TRUE|FALSE)'$/.test(this.#next().text), 'optimized or not')
    this.#expect('}')
  }

  get #line(): number {
    return this.#tokens[this.#at - 1]?.line ?? 0
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #next(): Token {
    const token = this.#tokens[this.#at++]
    if (!token) throw new Error('the text ends too early')
    return token
  }

  #takes(text: string): boolean {
    const found = this.#peek()?.text === text && this.#peek()?.kind !== 'quoted'
    if (found) this.#at++
    return found
  }

  #expect(text: string): void {
    const { text: found, line } = this.#next()
    if (found !== text) throw new Error(`line ${line}: ${found} instead of ${text}`)
  }

  #need(right: boolean, what: string): void {
    if (!right) throw new Error(`line ${this.#line}: ${what}`)
  }
}

function declare(scope: Map<string, Type>, name: string, type: Type, line: number): void {
  if (scope.has(name.toLowerCase())) throw new Error(`line ${line}: ${name} is declared twice`)
  scope.set(name.toLowerCase(), type)
}

function literal(text: string, line: number): Type {
  if (text.startsWith('T#')) return { name: 'TIME' }
  const [name = '', digits = ''] = text.replace(/^16#/, 'WORD#16#').split('#16#')
  if (digits.length * 4 !== bitStrings[name]) throw new Error(`line ${line}: ${text}`)
  return { name }
}

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['literal', /T#\d+s|(?:D?WORD#)?16#[0-9A-F]+/y],
  ['number', /0\.1|\d+/y],
  ['quoted', /"[^"\n]*"/y],
  ['local', /#[A-Za-z_]\w*/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /:=|<>|>=|<=|\.\.|'[A-Z]+'|[:;=<>+()[\].,{}]/y],
]

/** A comment ends with its line; the one above a list of variables is kept: it has the name of the list. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  const lines = source.split('\n')
  lines.forEach((text, index) => {
    if (text.startsWith('// ') && lines[index + 1] === 'VAR_GLOBAL') {
      tokens.push({ kind: 'word', text, line: index + 1 })
      return
    }
    let at = 0
    while (at < text.length) {
      if (text[at] === ' ') {
        at++
        continue
      }
      if (text.startsWith('//', at)) return
      const found = patterns.flatMap(([kind, pattern]) => {
        pattern.lastIndex = at
        const match = pattern.exec(text)?.[0]
        return match === undefined ? [] : [{ kind, match }]
      })[0]
      if (!found) throw new Error(`line ${index + 1}: ${text.slice(at)}`)
      const { kind, match } = found
      tokens.push({ kind, text: kind === 'quoted' ? match.slice(1, -1) : match, line: index + 1 })
      at += match.length
    }
  })
  return tokens
}
