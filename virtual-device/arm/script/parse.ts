/** Tokens, expressions and statements; reports the first error as a controller does. Nesting is bounded. */
/** Both from 1. */
export interface Place {
  line: number
  column: number
}

export type Expression = Place &
  (
    | { kind: 'literal'; value: number | boolean | string }
    | { kind: 'name'; name: string }
    | { kind: 'list'; items: Expression[]; pose: boolean }
    | { kind: 'index'; of: Expression; index: Expression }
    | { kind: 'call'; name: string; values: Expression[]; named: Map<string, Expression> }
    | { kind: 'run'; name: string }
    | { kind: 'unary'; operator: string; value: Expression }
    | { kind: 'binary'; operator: string; left: Expression; right: Expression }
  )

export type Statement = Place &
  (
    | { kind: 'expression'; value: Expression }
    | { kind: 'assign'; name: string; index?: Expression; value: Expression; scope?: 'local' | 'global' }
    | { kind: 'if'; branches: { condition: Expression; body: Statement[] }[]; otherwise: Statement[] }
    | { kind: 'while'; condition: Expression; body: Statement[] }
    | { kind: 'return'; value?: Expression }
    | { kind: 'jump'; to: 'break' | 'continue' | 'halt' }
    | { kind: 'thread'; action: 'join' | 'kill'; value: Expression }
    | { kind: 'define'; routine: Routine }
  )

export interface Routine {
  kind: 'def' | 'sec' | 'thread'
  name: string
  parameters: { name: string; byDefault?: Expression }[]
  body: Statement[]
}

/** Why a program cannot be compiled or continued, in a controller's text. */
export class ScriptError extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column = 1,
  ) {
    super(message)
  }
}

interface Token {
  kind: 'number' | 'string' | 'name' | 'symbol' | 'newline' | 'end'
  text: string
  line: number
  column: number
}

const space = /[ \t\r]+|#[^\n]*/y

const patterns = [
  ['newline', /\n/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['name', /[A-Za-z_]\w*/y],
  ['string', /"[^"\n]*"/y],
  ['symbol', /==|!=|<=|>=|[-+*/%()[\],:=<>.]/y],
] as const

/** @throws ScriptError at an invalid character */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let [at, line, lineStart] = [0, 1, 0]
  while (at < text.length) {
    space.lastIndex = at
    const skipped = space.exec(text)?.[0]
    if (skipped) {
      at += skipped.length
      continue
    }
    const column = at - lineStart + 1
    const found = matched(text, at)
    if (!found) throw new ScriptError(`syntax_error_on_line:${line}:${text.slice(at, at + 20)}`, line, column)
    tokens.push({ ...found, line, column })
    at += found.text.length
    if (found.kind === 'newline') {
      line++
      lineStart = at
    }
  }
  const place = { line, column: at - lineStart + 1 }
  return [...tokens, { kind: 'newline', text: '\n', ...place }, { kind: 'end', text: '', ...place }]
}

function matched(text: string, at: number): Pick<Token, 'kind' | 'text'> | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) return { kind, text: found[0] }
  }
  return undefined
}

/** Binary operators by precedence, lowest first. */
const levels = [
  ['or', 'xor'],
  ['and'],
  ['==', '!=', '<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
] as const

/** Not usable as names. */
const reserved = new Set(
  'and break continue def elif elseif else end False global halt if join kill local not or return run sec thread True while xor'.split(
    ' ',
  ),
)

/** Nesting of expressions and statements: neither parsing nor running may exhaust the stack. */
const deepest = 60

const longestChain = 200 // consecutive operators or indices: each is one level deeper in the tree

class ExpressionParser {
  #at = 0
  #depth = 0
  #chained = 0 // in the whole program: nested chains multiply

  constructor(private readonly tokens: readonly Token[]) {}

  expression(level = 0): Expression {
    const operators = levels[level] as readonly string[] | undefined
    if (!operators) return this.#unary()
    let left = this.expression(level + 1)
    let links = 0
    while (operators.includes(this.here.text) && this.here.kind !== 'string') {
      this.link(++links)
      const { text: operator, line, column } = this.next()
      left = { kind: 'binary', operator, left, right: this.expression(level + 1), line, column }
    }
    this.#chained -= links
    return left
  }

  protected deeper<Found>(read: () => Found): Found {
    if (++this.#depth > deepest) this.fail()
    const found = read()
    this.#depth--
    return found
  }

  private link(links: number): void {
    this.#chained++
    if (links > longestChain || this.#chained > 2 * longestChain) this.fail()
  }

  get here(): Token {
    return this.ahead(0)
  }

  ahead(count: number): Token {
    return (this.tokens[this.#at + count] ?? this.tokens.at(-1)) as Token
  }

  next(): Token {
    const { here } = this
    this.#at++
    return here
  }

  accept(text: string): boolean {
    if (this.here.text !== text || this.here.kind === 'string') return false
    this.next()
    return true
  }

  take(text: string): void {
    if (!this.accept(text)) this.fail()
  }

  name(): string {
    const { kind, text } = this.here
    if (kind !== 'name' || reserved.has(text)) this.fail()
    return this.next().text
  }

  fail(): never {
    const { line, column, text } = this.here
    throw new ScriptError(`syntax_error_on_line:${line}:${text.trim()}`, line, column)
  }

  #unary(): Expression {
    return this.deeper(() => {
      const { text, line, column, kind } = this.here
      const isOperator = kind !== 'string' && (text === '-' || text === '+' || text === 'not')
      if (!isOperator) return this.#indexed()
      this.next()
      return { kind: 'unary', operator: text, value: this.#unary(), line, column }
    })
  }

  #indexed(): Expression {
    let found = this.#primary()
    let links = 0
    while (this.here.text === '[' && this.here.kind === 'symbol') {
      this.link(++links)
      const { line, column } = this.next()
      found = { kind: 'index', of: found, index: this.expression(), line, column }
      this.take(']')
    }
    this.#chained -= links
    return found
  }

  #primary(): Expression {
    const { kind, text, line, column } = this.here
    const place = { line, column }
    if (kind === 'number') return { kind: 'literal', value: Number(this.next().text), ...place }
    if (kind === 'string') return { kind: 'literal', value: this.next().text.slice(1, -1), ...place }
    if (this.accept('True')) return { kind: 'literal', value: true, ...place }
    if (this.accept('False')) return { kind: 'literal', value: false, ...place }
    if (this.accept('(')) {
      const inner = this.expression()
      this.take(')')
      return inner
    }
    if (this.accept('[')) return { kind: 'list', items: this.#items(), pose: false, ...place }
    if (text === 'p' && this.ahead(1).text === '[') {
      this.next()
      this.next()
      return { kind: 'list', items: this.#items(), pose: true, ...place }
    }
    if (this.accept('run')) {
      const name = this.name()
      this.take('(')
      this.take(')')
      return { kind: 'run', name, ...place }
    }
    const name = this.name()
    return this.accept('(') ? this.#call(name, place) : { kind: 'name', name, ...place }
  }

  #items(): Expression[] {
    const items: Expression[] = []
    while (!this.accept(']')) {
      if (items.length > 0) this.take(',')
      items.push(this.expression())
    }
    return items
  }

  #call(name: string, place: { line: number; column: number }): Expression {
    const values: Expression[] = []
    const named = new Map<string, Expression>()
    while (!this.accept(')')) {
      if (values.length + named.size > 0) this.take(',')
      if (this.here.kind === 'name' && this.ahead(1).text === '=') {
        const parameter = this.name()
        this.take('=')
        named.set(parameter, this.expression())
      } else values.push(this.expression())
    }
    return { kind: 'call', name, values, named, ...place }
  }
}

const openers = ['def', 'sec', 'thread']

/** Parses a whole program, or a single line. @throws ScriptError */
export function parsed(tokens: readonly Token[]): Routine {
  return new Parser(tokens).program()
}

interface Branches {
  kind: 'if'
  branches: { condition: Expression; body: Statement[] }[]
  otherwise: Statement[]
}

class Parser extends ExpressionParser {
  program(): Routine {
    this.blankLines()
    const { text } = this.here
    if (text === 'def' || text === 'sec') {
      const routine = this.routine()
      this.blankLines()
      if (this.here.kind !== 'end') this.fail()
      return routine
    }
    return { kind: 'def', name: 'unnamed', parameters: [], body: this.body([]) }
  }

  /** Statements until one of the words, which is not consumed, or the end of the text. */
  private body(until: readonly string[]): Statement[] {
    const statements: Statement[] = []
    for (;;) {
      this.blankLines()
      const { kind, text } = this.here
      if (kind === 'name' && until.includes(text)) return statements
      if (kind === 'end') {
        if (until.length > 0) this.fail()
        return statements
      }
      statements.push(this.deeper(() => this.statement()))
      if (this.here.kind !== 'newline') this.fail()
    }
  }

  private statement(): Statement {
    const { line, column, kind, text } = this.here
    const place = { line, column }
    if (kind !== 'name') return { ...place, kind: 'expression', value: this.expression() }
    if (openers.includes(text)) return { ...place, kind: 'define', routine: this.routine() }
    switch (text) {
      case 'if':
        return { ...place, ...this.branches() }
      case 'while': {
        this.next()
        const condition = this.expression()
        this.take(':')
        const body = this.body(['end'])
        this.take('end')
        return { ...place, kind: 'while', condition, body }
      }
      case 'return': {
        this.next()
        const value = this.here.kind === 'newline' ? undefined : this.expression()
        return { ...place, kind: 'return', ...(value && { value }) }
      }
      case 'break':
      case 'continue':
      case 'halt':
        this.next()
        return { ...place, kind: 'jump', to: text }
      case 'join':
      case 'kill':
        this.next()
        return { ...place, kind: 'thread', action: text, value: this.expression() }
      case 'local':
      case 'global':
        this.next()
        return this.assignment(text)
    }
    return this.isAssignment()
      ? this.assignment()
      : { ...place, kind: 'expression', value: this.expression() }
  }

  private isAssignment(): boolean {
    if (this.ahead(1).text === '=') return true
    if (this.ahead(1).text !== '[') return false
    for (let at = 2, depth = 1; ; at++) {
      const { kind, text } = this.ahead(at)
      if (kind === 'newline' || kind === 'end') return false
      depth += text === '[' ? 1 : text === ']' ? -1 : 0
      if (depth === 0) return this.ahead(at + 1).text === '='
    }
  }

  private assignment(scope?: 'local' | 'global'): Statement {
    const { line, column } = this.here
    const name = this.name()
    let index
    if (this.accept('[')) {
      index = this.expression()
      this.take(']')
    }
    this.take('=')
    const value = this.expression()
    return { line, column, kind: 'assign', name, value, ...(index && { index }), ...(scope && { scope }) }
  }

  private branches(): Branches {
    const branches: Branches['branches'] = []
    let otherwise: Statement[] = []
    do {
      this.next()
      const condition = this.expression()
      this.take(':')
      branches.push({ condition, body: this.body(['elif', 'elseif', 'else', 'end']) })
    } while (this.here.text === 'elif' || this.here.text === 'elseif')
    if (this.accept('else')) {
      this.take(':')
      otherwise = this.body(['end'])
    }
    this.take('end')
    return { kind: 'if', branches, otherwise }
  }

  private routine(): Routine {
    const kind = this.next().text as Routine['kind']
    const name = this.name()
    this.take('(')
    const parameters: Routine['parameters'] = []
    while (!this.accept(')')) {
      if (parameters.length > 0) this.take(',')
      const parameter = this.name()
      parameters.push(
        this.accept('=') ? { name: parameter, byDefault: this.expression() } : { name: parameter },
      )
    }
    this.take(':')
    const body = this.body(['end'])
    this.take('end')
    return { kind, name, parameters, body }
  }

  private blankLines(): void {
    while (this.here.kind === 'newline') this.next()
  }
}
