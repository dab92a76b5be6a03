import should from 'should'
import { Arm } from '../../../virtual-device/arm/arm'
import { type ArmMessage, ArmSettings } from '../../../virtual-device/arm/state'
import { outputField, sizeOf, writeField } from '../../../virtual-device/arm/rtde'
import { messageBytes, robotState } from '../../../virtual-device/arm/primary'
import { ScriptError } from '../../../virtual-device/arm/script/parse'
import { ScriptProgram } from '../../../virtual-device/arm/script/interpreter'
import { Value } from '../../../lib/typebox'
import { manualClock } from '../../../virtual-device'
import { seededRandom } from '../../../virtual-device/values'
import { program, until, useArm } from './clients'

const many = (part: string, count = 30_000) => part.repeat(count)

/** Each with the words in which a controller refuses it, or ends it; undefined: it is no fault. */
const hostile: Readonly<Record<string, readonly [text: string, refusal: string | undefined]>> = {
  'a name of the host as a line': ['__proto__\n', 'compile_error_name_not_found:__proto__'],
  'another name of the host': ['constructor\n', 'compile_error_name_not_found:constructor'],
  'a call of a name of the host': ['toString()\n', 'compile_error_name_not_found:toString'],
  'a variable with a name of the host': ['__proto__ = 1\n', undefined],
  'brackets in one another': [`x = ${many('(')}1${many(')')}\n`, 'syntax_error_on_line:1'],
  'lists in one another': [`x = ${many('[')}${many(']')}\n`, 'syntax_error_on_line:1'],
  'calls in one another': [`x = ${many('sin(')}1${many(')')}\n`, 'syntax_error_on_line:1'],
  'a chain of operators': [`x = 1${many(' + 1')}\n`, 'syntax_error_on_line:1'],
  'a chain of signs': [`x = ${many('-')}1\n`, 'syntax_error_on_line:1'],
  'a chain of indices': [`x = [1]\nx = x${many('[0]')}\n`, 'syntax_error_on_line'],
  'chains in one another': [
    `x = ${many(`1${many(' + 1', 150)} + (`, 50)}1${many(')', 50)}\n`,
    'syntax_error_on_line:1',
  ],
  'branches in one another': [program('deep', many('if True:\n', 5000), many('end\n', 5000)), 'syntax_error'],
  'functions in one another': [
    program('deep', many('def f():\n', 5000), many('end\n', 5000)),
    'syntax_error',
  ],
  'a function that calls itself': [program('deep', 'def f():', 'f()', 'end', 'f()'), 'stack overflow'],
  'one that calls itself in itself': [
    program('deep', 'def f(x):', `return ${many('f(', 50)}1${many(')', 50)}`, 'end', 'f(1)'),
    'stack overflow',
  ],
  'a loop without an end': [program('loop', 'while True:', 'x = 1', 'end'), 'infinite loop detected'],
  'an empty loop': [program('loop', 'while True:', 'end'), 'infinite loop detected'],
  'a loop that takes all time': [
    program('loop', 'while True:', 'i = 0', 'while i < 3000:', 'i = i + 1', 'end', 'sync()', 'end'),
    'infinite loop detected',
  ],
  'threads that start threads': [
    program('threads', 'thread t():', 'run t()', 'run t()', 'sleep(1)', 'end', 'run t()', 'sleep(1)'),
    'too_many_threads',
  ],
  'a text that doubles': [
    program('text', 's = "x"', 'while True:', 's = str_cat(s, s)', 'end'),
    'string too long',
  ],
  'a list that doubles': [program('list', 'l = [1]', 'while True:', 'l = [l, l]', 'end'), 'list too large'],
  'a list in itself': [
    program('list', 'l = [1]', 'while True:', 'l[0] = l', 'end', 'textmsg(l)'),
    'list too large',
  ],
  'a long text in a message': [program('text', `textmsg("${many('ä')}")`), 'string too long'],
  'a long title': [program('title', `popup("text", "${many('ä', 150)}")`), undefined],
  'endless numbers': [program('number', 'sleep(1e999)'), 'number expected'],
  'a number beyond its register': [
    program('number', 'write_output_integer_register(0, 3e9)', 'sleep(1)'),
    undefined,
  ],
  'an endless number in a register': [
    program('number', 'write_output_float_register(0, 1e200 * 1e200)'),
    'number expected',
  ],
  'a division by nothing': [program('number', 'x = 1 / 0'), 'division by zero'],
  'a motion to nowhere': [program('far', 'movel(p[1e300, 0, 0, 0, 0, 0])', 'sleep(1)'), undefined],
  'joints without a limit': [program('far', 'movej([1e300, 1e300, 0, 0, 0, 0], 1e300, 1e300)'), undefined],
  'a motion in no time': [program('fast', 'movej([0, 0, 0, 0, 0, 0], 1e-300, 1e-300, 1e-300)'), undefined],
  'a tool at nowhere': [
    program('tool', 'set_tcp(p[1e300, 1e300, 1e300, 1e300, 1e300, 1e300])', 'movel(get_actual_tcp_pose())'),
    undefined,
  ],
  'characters of no language': ['\u0000\u0001ÿþ§$%&\n', 'syntax_error_on_line:1'],
}

describe('a program that is meant to do harm', () => {
  const arm = useArm()

  for (const [name, [text, refusal]] of Object.entries(hostile))
    it(`does none: ${name}`, async () => {
      const primary = await arm.primary()
      const rtde = await arm.rtde()
      await rtde.ask('V', Buffer.from([0, 2]))
      await rtde.ask(
        'O',
        Buffer.concat([
          Buffer.from('405f400000000000', 'hex'),
          Buffer.from('output_int_register_0,actual_q'),
        ]),
      )
      await rtde.ask('S')
      primary.send(Buffer.from(text, 'latin1'))
      const { ask } = await arm.dashboard()
      should(await ask('robotmode')).match(/^Robotmode: /)
      await arm.pass(0.3)
      const passesUntilTold = (kind: number, part: string) =>
        until(async () => {
          await arm.pass(0.1)
          return primary.texts(kind).some((told) => told.includes(part))
        })
      if (refusal !== undefined) await passesUntilTold(10, refusal)
      // The next program finds a controller that works.
      primary.send('stop program\n')
      await arm.pass(0.1)
      await ask('close safety popup')
      await arm.pass(5.1)
      await ask('unlock protective stop')
      primary.send(program('after', `textmsg("after ", "${name}")`))
      await passesUntilTold(0, `after ${name}`)
      primary.send('set_tcp(p[0, 0, 0, 0, 0, 0])\n')
      await arm.pass(0.1)
    })
})

/** Programs of the language's words in any order, mostly of its shape. */
function programOf(random: () => number): string {
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const numbers = ['0', '1', '-1', '0.5', '1e999', '1e308', '1e-308', '4294967296', '0.000001', '3']
  const names = ['a', 'b', 'l', 'f', 'pi', '__proto__', 'constructor', 'hasOwnProperty']
  const functions = [
    ...[
      'movel',
      'movej',
      'movep',
      'stopl',
      'stopj',
      'sleep',
      'sync',
      'set_tcp',
      'set_payload',
      'textmsg',
      'popup',
    ],
    ...['str_cat', 'to_str', 'length', 'pow', 'norm', 'sqrt', 'acos', 'pose_trans', 'pose_inv', 'pose_add'],
    ...[
      'get_inverse_kin',
      'get_forward_kin',
      'interpolate_pose',
      'pose_dist',
      'write_output_integer_register',
    ],
    ...[
      'write_output_float_register',
      'read_input_float_register',
      'get_actual_tcp_pose',
      'rtde_set_watchdog',
      'f',
      '__proto__',
    ],
  ]
  const six = (depth: number) =>
    Array.from({ length: random() < 0.9 ? 6 : 5 }, () => value(depth + 1)).join(', ')
  const value = (depth = 0): string => {
    const kind = random()
    if (depth > 4 || kind < 0.3) return one(numbers)
    if (kind < 0.45) return one(names)
    if (kind < 0.55) return `p[${six(depth)}]`
    if (kind < 0.63) return `[${six(depth)}]`
    if (kind < 0.68) return one(['"text"', '""', 'True', 'False', '"ü"'])
    if (kind < 0.75) return `${one(names)}[${value(depth + 1)}]`
    if (kind < 0.85)
      return `(${value(depth + 1)} ${one(['+', '-', '*', '/', '%', '<', '==', 'and', 'or'])} ${value(depth + 1)})`
    const values = Array.from({ length: Math.floor(random() * 4) }, () => value(depth + 1))
    return `${one(functions)}(${values.join(', ')})`
  }
  const lines = (depth: number): string[] =>
    Array.from({ length: 1 + Math.floor(random() * 4) }).flatMap(() => {
      const kind = random()
      if (depth < 4 && kind < 0.1)
        return [`while ${one(['True', 'a < 5', value()])}:`, ...lines(depth + 1), 'end']
      if (depth < 4 && kind < 0.2)
        return [`if ${one(['True', value()])}:`, ...lines(depth + 1), 'else:', ...lines(depth + 1), 'end']
      if (depth < 2 && kind < 0.26) return [`thread f():`, ...lines(depth + 1), 'end', 'b = run f()']
      if (depth < 2 && kind < 0.32) return ['def f(a, b=1):', ...lines(depth + 1), `return ${value()}`, 'end']
      if (kind < 0.6) return [`${one(names)} = ${value()}`]
      if (kind < 0.68) return [`l[${value()}] = ${value()}`]
      if (kind < 0.72) return [one(['break', 'continue', 'halt', 'kill b', 'join b', 'return 1'])]
      return [
        `${one(functions)}(${Array.from({ length: Math.floor(random() * 4) }, () => value()).join(', ')})`,
      ]
    })
  const text = [
    'def fuzz():',
    'a = 0',
    'b = 1',
    'l = [1, [2], p[0, 0, 0, 0, 0, 0]]',
    ...lines(0),
    'end',
    '',
  ].join('\n')
  if (random() < 0.8) return text
  // Something is missing, or is there twice.
  const [from, to] = [Math.floor(random() * text.length), Math.floor(random() * text.length)]
  return random() < 0.5 ? text.slice(0, from) + text.slice(to) : text.slice(from)
}

describe('any program', () => {
  it('compiles or is refused, runs or is ended, and the state of the arm can always be sent', function () {
    this.timeout(60_000)
    const random = seededRandom(354)
    const clock = manualClock()
    const arm = new Arm('ur5e', clock, Value.Create(ArmSettings))
    const { controller } = arm
    const told: ArmMessage[] = []
    controller.onMessage((message) => told.push(message))
    const fields = [
      'output_int_register_0',
      'output_double_register_0',
      'actual_q',
      'actual_TCP_pose',
      'actual_TCP_speed',
      'payload',
      'target_speed_fraction',
    ]
      .map(outputField)
      .filter((field) => field !== undefined)
    fields.length.should.be.above(4)
    let ended = 0
    for (let count = 0; count < 600; count++) {
      const text = programOf(random)
      try {
        controller.run(ScriptProgram.compiled(text, controller))
      } catch (error) {
        if (!(error instanceof ScriptError)) throw new Error(text, { cause: error })
        continue
      }
      try {
        for (let cycle = 0; cycle < 40; cycle++) controller.advance()
        robotState(arm)
        for (const message of told.splice(0)) messageBytes(message, controller.time)
        for (const { type, read } of fields) writeField(Buffer.alloc(sizeOf(type)), 0, type, read(controller))
        for (const joint of controller.drive.joints) should(joint).be.within(-7, 7)
      } catch (error) {
        throw new Error(text, { cause: error })
      }
      if (controller.programName === undefined) ended++
      controller.endProgram()
      controller.time += 6
      controller.unlock()
    }
    ended.should.be.above(60)
  })
})
