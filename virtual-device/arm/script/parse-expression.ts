import { ScriptError } from './script-error'
import type { Expression } from './syntax'
import type { Token } from './tokens'

/** Operators of two values, those that bind least first. */
const levels = [
  ['or', 'xor'],
  ['and'],
  ['==', '!=', '<', '>', '<=', '>='],
  ['+', '-'],
  ['*', '/', '%'],
] as const
/** Words that name nothing. */
const reserved = new Set(
  'and break continue def elif elseif else end False global halt if join kill local not or return run sec thread True while xor'.split(
    ' ',
  ),
)
/** Deepest nesting of expressions and statements: neither reading nor running them may exhaust the stack. */
const deepest = 60
/** Operators, or indices, one behind the other: each is one level deeper in the tree. */
const longestChain = 200

/** Reads expressions from tokens. */
export class ExpressionParser {
  #at = 0
  #depth = 0
  /** Of the whole program: chains of which one is in the other multiply. */
  #chained = 0

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

  /** Reads what is one level deeper. */
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
