import { builtins, constants } from './builtins'
import type { Machine } from './machine'
import { computed, indexed, negated } from './operators'
import { ScriptError } from './script-error'
import type { Expression, Place, Routine, Statement } from './syntax'
import {
  copied,
  numberIn,
  ScriptPose,
  sixIn,
  sizeOf,
  ThreadHandle,
  truthIn,
  ValueError,
  type Value,
} from './values'

/** Statements and expressions of a program in one cycle, beyond which it is an endless loop. */
const mostSteps = 20_000
/** Those of each cycle in the long run: a controller has no more time than that either. */
const stepsPerCycle = 1000
/** Variables of a program, those of all running functions together. */
const mostVariables = 10_000
/** Deepest call of functions. */
const deepestCalls = 60

type Scope = Map<string, Value>
export type Routines = Map<string, Routine>

/** Why a sequence of statements ended early. */
type Jump = { kind: 'break' | 'continue' | 'halt' } | { kind: 'return'; value: Value }

type Run<Result> = Generator<void, Result, void>

/** Runs the parts of a program; what takes time yields once in each cycle. */
export class Interpreter {
  /** Done, less what each cycle gives back. */
  #steps = 0
  #variables = 0
  halted = false
  readonly #globals: Scope = new Map()

  constructor(
    private readonly machine: Machine,
    private readonly routines: Routines,
    private readonly threads: {
      start: (routine: Routine) => ThreadHandle
      kill: (thread: ThreadHandle) => void
    },
  ) {}

  /** A new cycle. */
  cycle(): void {
    this.#steps = Math.max(0, this.#steps - stepsPerCycle)
  }

  *main({ body }: Routine): Run<void> {
    yield* this.#body(body, this.#globals, 0)
  }

  *routine({ parameters, body }: Routine, values: readonly Value[], depth = 0): Run<Value> {
    const scope: Scope = new Map()
    for (const [index, { name, byDefault }] of parameters.entries()) {
      const value = values[index] ?? (byDefault && (yield* this.#value(byDefault, scope, depth)))
      this.#store(scope, name, value)
    }
    const jump = yield* this.#body(body, scope, depth)
    this.#variables -= scope.size
    return jump?.kind === 'return' ? jump.value : undefined
  }

  *#body(statements: readonly Statement[], scope: Scope, depth: number): Run<Jump | undefined> {
    for (const statement of statements)
      if (statement.kind === 'define') this.routines.set(statement.routine.name, statement.routine)
    for (const statement of statements) {
      const jump = yield* this.#statement(statement, scope, depth)
      if (jump) return jump
    }
    return undefined
  }

  *#statement(statement: Statement, scope: Scope, depth: number): Run<Jump | undefined> {
    this.#step(statement, 1)
    switch (statement.kind) {
      case 'define':
        return undefined
      case 'expression':
        yield* this.#value(statement.value, scope, depth)
        return undefined
      case 'assign':
        yield* this.#assign(statement, scope, depth)
        return undefined
      case 'if':
        for (const { condition, body } of statement.branches)
          if (yield* this.#truth(condition, scope, depth)) return yield* this.#body(body, scope, depth)
        return yield* this.#body(statement.otherwise, scope, depth)
      case 'while':
        while (yield* this.#truth(statement.condition, scope, depth)) {
          const jump = yield* this.#body(statement.body, scope, depth)
          if (jump?.kind === 'break') break
          if (jump && jump.kind !== 'continue') return jump
        }
        return undefined
      case 'return': {
        const { value } = statement
        return { kind: 'return', value: value && (yield* this.#value(value, scope, depth)) }
      }
      case 'jump':
        if (statement.to === 'halt') this.halted = true
        return { kind: statement.to }
      case 'thread':
        yield* this.#onThread(statement, scope, depth)
        return undefined
    }
  }

  *#onThread(
    { action, value, ...place }: Extract<Statement, { kind: 'thread' }>,
    scope: Scope,
    depth: number,
  ): Run<void> {
    const thread = yield* this.#value(value, scope, depth)
    if (!(thread instanceof ThreadHandle)) throw new ScriptError('thread expected', place.line, place.column)
    if (action === 'kill') this.threads.kill(thread)
    else while (this.machine.lives(thread.id)) yield
  }

  *#assign(
    { name, index, value, scope: kind, ...place }: Extract<Statement, { kind: 'assign' }>,
    scope: Scope,
    depth: number,
  ): Run<void> {
    const given = yield* this.#value(value, scope, depth)
    const own = kind === 'local' || (kind !== 'global' && (scope.has(name) || !this.#globals.has(name)))
    const target = own ? scope : this.#globals
    if (!index) {
      this.#checked(place, () => this.#store(target, name, given))
      return
    }
    const at = yield* this.#value(index, scope, depth)
    this.#checked(place, () => {
      const list = target.get(name)
      indexed(list, at)
      if (list instanceof ScriptPose) list.numbers[at as number] = numberIn(given)
      else {
        const changed = copied(list) as Value[]
        changed[at as number] = given
        this.#step(place, sizeOf(changed))
        this.#store(target, name, changed)
      }
    })
  }

  *#truth(condition: Expression, scope: Scope, depth: number): Run<boolean> {
    const value = yield* this.#value(condition, scope, depth)
    return this.#checked(condition, () => truthIn(value))
  }

  *#value(expression: Expression, scope: Scope, depth: number): Run<Value> {
    this.#step(expression, 1)
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'name':
        return this.#named(expression, scope)
      case 'list': {
        const items: Value[] = []
        for (const item of expression.items) items.push(yield* this.#value(item, scope, depth))
        this.#step(
          expression,
          this.#checked(expression, () => sizeOf(items)),
        )
        return expression.pose ? this.#checked(expression, () => new ScriptPose([...sixIn(items)])) : items
      }
      case 'index': {
        const of = yield* this.#value(expression.of, scope, depth)
        const at = yield* this.#value(expression.index, scope, depth)
        return this.#checked(expression, () => indexed(of, at))
      }
      case 'unary': {
        const value = yield* this.#value(expression.value, scope, depth)
        return this.#checked(expression, () => negated(expression.operator, value))
      }
      case 'binary': {
        const { operator } = expression
        const left = yield* this.#value(expression.left, scope, depth)
        if (operator === 'and' && left === false) return false
        if (operator === 'or' && left === true) return true
        const right = yield* this.#value(expression.right, scope, depth)
        return this.#checked(expression, () => computed(operator, left, right))
      }
      case 'run': {
        const routine = this.routines.get(expression.name)
        if (!routine) throw this.#unknown(expression)
        return this.threads.start(routine)
      }
      case 'call':
        return yield* this.#call(expression, scope, depth)
    }
  }

  *#call(expression: Extract<Expression, { kind: 'call' }>, scope: Scope, depth: number): Run<Value> {
    const { name, line, column } = expression
    const routine = this.routines.get(name)
    const builtin = Object.hasOwn(builtins, name) ? builtins[name] : undefined
    const takes = routine ? routine.parameters.map((each) => each.name) : builtin?.takes
    if (!takes) throw this.#unknown(expression)
    const values: Value[] = []
    for (const value of expression.values) values.push(yield* this.#value(value, scope, depth))
    for (const [parameter, value] of expression.named) {
      const index = takes.indexOf(parameter)
      if (index < 0) throw new ScriptError(`${name}: there is no argument ${parameter}`, line, column)
      values[index] = yield* this.#value(value, scope, depth)
    }
    const least = builtin?.least ?? 0
    if (values.length > takes.length || (!routine && values.length < least))
      throw new ScriptError(`${name}: wrong number of arguments`, line, column)
    if (depth >= deepestCalls) throw new ScriptError('stack overflow', line, column)
    if (routine) return yield* this.routine(routine, values, depth + 1)
    // What it costs depends on what it is given.
    for (const value of values)
      this.#step(
        expression,
        this.#checked(expression, () => sizeOf(value)),
      )
    const result = this.#checked(expression, () => builtin?.call(this.machine, values))
    if (!isRun(result)) return result
    return yield* this.#patiently(expression, result)
  }

  *#patiently(place: Place, run: Run<Value>): Run<Value> {
    for (;;) {
      const { done, value } = this.#checked(place, () => run.next())
      if (done) return value
      yield
    }
  }

  #named(expression: Place & { name: string }, scope: Scope): Value {
    const { name } = expression
    for (const each of [scope, this.#globals]) if (each.has(name)) return each.get(name)
    if (Object.hasOwn(constants, name)) return constants[name]
    throw this.#unknown(expression)
  }

  #unknown({ name, line, column }: Place & { name: string }): ScriptError {
    return new ScriptError(`name '${name}' is not defined`, line, column)
  }

  #store(scope: Scope, name: string, value: Value): void {
    if (!scope.has(name) && ++this.#variables > mostVariables) throw new ValueError('out of memory')
    sizeOf(value)
    scope.set(name, copied(value))
  }

  #step({ line, column }: Place, steps: number): void {
    this.#steps += steps
    if (this.#steps > mostSteps) throw new ScriptError('infinite loop detected', line, column)
  }

  #checked<Result>({ line, column }: Place, compute: () => Result): Result {
    try {
      return compute()
    } catch (error) {
      throw error instanceof ValueError ? new ScriptError(error.message, line, column) : error
    }
  }
}

const isRun = (value: unknown): value is Run<Value> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value)
