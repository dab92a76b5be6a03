import { ExpressionParser } from './parse-expression'
import type { Expression, Routine, Statement } from './syntax'
import type { Token } from './tokens'

const openers = ['def', 'sec', 'thread']

/** Reads a whole program, or a single line. @throws ScriptError where it is not of the language */
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
