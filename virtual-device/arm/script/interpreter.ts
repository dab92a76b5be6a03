/** Runs a program in cycles: threads, variables, operators. Steps, depth, texts and lists are bounded. */
import type { ArmController } from '../controller'
import type { ArmProgram } from '../state'
import { builtins, constants, type Machine } from './builtins'
import {
  type Expression,
  parsed,
  type Place,
  type Routine,
  ScriptError,
  type Statement,
  tokensOf,
} from './parse'
import { ScriptSockets } from './sockets'
import {
  copied,
  numberIn,
  ScriptPose,
  shown,
  sixIn,
  sizeOf,
  ThreadHandle,
  truthIn,
  type Value,
  ValueError,
} from './values'

const arithmetic: Readonly<Partial<Record<string, (a: number, b: number) => number | boolean>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

/** @throws ValueError if the types do not fit */
function computed(operator: string, left: Value, right: Value): Value {
  switch (operator) {
    case '==':
      return isSame(left, right)
    case '!=':
      return !isSame(left, right)
    case 'and':
      return truthIn(left) && truthIn(right)
    case 'or':
      return truthIn(left) || truthIn(right)
    case 'xor':
      return truthIn(left) !== truthIn(right)
  }
  const [a, b] = [numberIn(left), numberIn(right)]
  if ((operator === '/' || operator === '%') && b === 0) throw new ValueError('division by zero')
  return arithmetic[operator]?.(a, b)
}

/** @throws ValueError if the type does not fit */
const negated = (operator: string, value: Value): Value =>
  operator === 'not' ? !truthIn(value) : operator === '-' ? -numberIn(value) : numberIn(value)

/** @throws ValueError if there is no such element */
function indexed(of: Value, index: Value): Value {
  const list = of instanceof ScriptPose ? of.numbers : of
  const at = numberIn(index)
  if (!Array.isArray(list) || !Number.isInteger(at) || at < 0 || at >= list.length)
    throw new ValueError(`there is no element ${shown(index)}`)
  return list[at]
}

const isSame = (one: Value, other: Value): boolean =>
  typeof one === typeof other && shown(one) === shown(other)

/** First undefined name in a program. */
function unknownName(program: Routine): (Place & { name: string }) | undefined {
  const known = new Set<string>(Object.keys(constants))
  const uses: (Place & { name: string })[] = []

  const expression = (each: Expression | undefined): void => {
    if (!each) return
    switch (each.kind) {
      case 'literal':
        return
      case 'name':
        uses.push(each)
        return
      case 'run':
        uses.push(each)
        return
      case 'list':
        each.items.forEach(expression)
        return
      case 'index':
        expression(each.of)
        expression(each.index)
        return
      case 'unary':
        expression(each.value)
        return
      case 'binary':
        expression(each.left)
        expression(each.right)
        return
      case 'call':
        if (!Object.hasOwn(builtins, each.name)) uses.push(each)
        each.values.forEach(expression)
        each.named.forEach(expression)
    }
  }
  const statement = (each: Statement): void => {
    switch (each.kind) {
      case 'expression':
      case 'thread':
      case 'return':
        expression(each.value)
        return
      case 'assign':
        known.add(each.name)
        expression(each.index)
        expression(each.value)
        return
      case 'if':
        for (const { condition, body } of each.branches) {
          expression(condition)
          body.forEach(statement)
        }
        each.otherwise.forEach(statement)
        return
      case 'while':
        expression(each.condition)
        each.body.forEach(statement)
        return
      case 'define':
        routine(each.routine)
        return
      case 'jump':
    }
  }
  const routine = ({ name, parameters, body }: Routine): void => {
    known.add(name)
    for (const parameter of parameters) {
      known.add(parameter.name)
      expression(parameter.byDefault)
    }
    body.forEach(statement)
  }
  routine(program)
  return uses.find(({ name }) => !known.has(name))
}

const mostSteps = 20_000 // statements and expressions in one cycle; more is an endless loop

const stepsPerCycle = 1000 // sustained: a controller has no more time than that either

const mostVariables = 10_000 // of all running functions together

const deepestCalls = 60 // call depth

type Scope = Map<string, Value>

type Routines = Map<string, Routine>

/** Why a sequence of statements ended early. */
type Jump = { kind: 'break' | 'continue' | 'halt' } | { kind: 'return'; value: Value }

type Run<Result> = Generator<void, Result, void>

/** Runs the parts of a program; work that takes time yields once per cycle. */
class Interpreter {
  #steps = 0 // done, less the allowance of each cycle
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
    const isLocal = kind === 'local' || (kind !== 'global' && (scope.has(name) || !this.#globals.has(name)))
    const target = isLocal ? scope : this.#globals
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
    // The cost depends on the arguments.
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

const mostThreads = 50 // of one program

export class ScriptProgram implements ArmProgram {
  readonly name: string
  readonly #threads = new Map<number, Generator<void, unknown, void>>()
  readonly #sockets = new ScriptSockets()
  readonly #machine: Machine
  readonly #interpreter: Interpreter
  #lastId = 0

  private constructor(
    program: Routine,
    private readonly controller: ArmController,
  ) {
    this.name = program.name
    const machine = { controller, sockets: this.#sockets, lives: (id: number) => this.#threads.has(id) }
    this.#machine = { ...machine, thread: 0, mover: undefined }
    const routines: Routines = new Map()
    this.#interpreter = new Interpreter(this.#machine, routines, {
      start: (routine) => this.#start(() => this.#interpreter.routine(routine, [])),
      kill: (thread) => this.#kill(thread),
    })
    this.#start(() => this.#interpreter.main(program))
  }

  /** @throws ScriptError with the place and the text of a controller */
  static compiled(text: string, controller: ArmController): ScriptProgram {
    const program = parsed(tokensOf(text))
    const unknown = unknownName(program)
    if (unknown) {
      const { name, line, column } = unknown
      throw new ScriptError(`compile_error_name_not_found:${name}:`, line, column)
    }
    return new ScriptProgram(program, controller)
  }

  cycle(): boolean {
    this.#interpreter.cycle()
    try {
      for (const [id, thread] of [...this.#threads]) {
        if (!this.#threads.has(id)) continue
        this.#machine.thread = id
        if (thread.next().done) this.#threads.delete(id)
        if (this.controller.programName !== this.name) return true
      }
    } catch (error) {
      // The stack or a string of the simulating process is too large.
      if (!(error instanceof ScriptError || error instanceof RangeError)) throw error
      const { line, column, message } =
        error instanceof ScriptError ? error : new ScriptError('stack overflow', 1)
      this.controller.send({ kind: 'exception', line, column, text: message })
      return true
    }
    return this.#interpreter.halted || !this.#threads.has(1)
  }

  close(): void {
    this.#sockets.closeAll()
  }

  #start(body: () => Generator<void, unknown, void>): ThreadHandle {
    if (this.#threads.size >= mostThreads) throw new ScriptError('too_many_threads', 1)
    this.#threads.set(++this.#lastId, body())
    return new ThreadHandle(this.#lastId)
  }

  #kill({ id }: ThreadHandle): void {
    const wasThere = this.#threads.delete(id)
    if (wasThere && this.#machine.mover === id) this.controller.drive.abandon()
  }
}
