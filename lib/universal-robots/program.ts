/**
 * The program that moves the robot, and the enable signal without which it brakes by itself.
 */
import type { Pace } from '../robot-motion'
import { type Pose, rotationVectorOf } from '../robotics'
import { startInterval } from '../kernel/timers'

/** The integer input registers that a motion looks at. */
export interface EnableRegisters {
  /** Must keep changing, and be greater than 0. */
  enable: number
  /** Must be the number of the motion: a script that arrives late, or twice, moves nothing. */
  motion: number
}

/** Seconds without a new enable until the controller brakes: it has begun within half a second. */
const quietSeconds = 0.4

/** Seconds for the enable to begin. Nothing moves until then, so that a busy computer may take its time. */
const beginSeconds = 2

/** Deceleration of a stop, metres per second squared. */
const braking = 2

/**
 * The program of one straight motion. It begins when the enable has changed twice, and brakes by itself as soon as the enable
 * stands still, is taken away, or belongs to another motion: closing a connection stops nothing on this controller. A thread
 * moves and the program watches, because only one of them may move at a time.
 * @param tcp where the active TCP is to be, in the base
 * @param cycle seconds of a control cycle
 */
export function motionScript(
  tcp: Pose,
  { speed, acceleration }: Pace,
  { number, registers, cycle }: { number: number; registers: EnableRegisters; cycle: number },
): string {
  const quiet = Math.round(quietSeconds / cycle)
  const enable = `read_input_integer_register(${registers.enable})`
  const motion = `read_input_integer_register(${registers.motion})`
  const watched = [
    'sync()',
    `cs_now = ${enable}`,
    'if cs_now == cs_last:',
    '  cs_quiet = cs_quiet + 1',
    'else:',
    '  cs_quiet = 0',
    '  cs_changes = cs_changes + 1',
    '  cs_last = cs_now',
    'end',
  ]
  const indented = (lines: readonly string[], by: string) => lines.map((line) => by + line)
  return [
    `def ${programName(number)}():`,
    '  global cs_arrived = 0',
    '  thread cs_motion():',
    `    movel(${poseText(tcp)}, a=${acceleration.toFixed(4)}, v=${speed.toFixed(4)})`,
    '    cs_arrived = 1',
    '  end',
    `  cs_last = ${enable}`,
    '  cs_now = cs_last',
    '  cs_changes = 0',
    '  cs_quiet = 0',
    `  while cs_changes < 2 and cs_quiet < ${Math.round(beginSeconds / cycle)}:`,
    ...indented(watched, '    '),
    '  end',
    `  if cs_changes >= 2 and cs_last > 0 and ${motion} == ${number}:`,
    '    cs_thread = run cs_motion()',
    `    while cs_arrived == 0 and cs_quiet < ${quiet} and cs_last > 0 and ${motion} == ${number}:`,
    ...indented(watched, '      '),
    '    end',
    '    if cs_arrived == 0:',
    '      kill cs_thread',
    `      stopl(${braking.toFixed(1)})`,
    '    end',
    '  end',
    'end',
    '',
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** The program that brakes. It ends the one that runs. */
export const stopScript = (): string => `def cs_stop():\n  stopl(${braking.toFixed(1)})\nend\n\n`

/** Of a motion, at most 31 characters. */
export const programName = (number: number): string => `cs_motion_${number}`

/** Metres with a thousandth of a millimetre, and a rotation vector as fine. */
function poseText({ position: { x, y, z }, orientation }: Pose): string {
  const turn = rotationVectorOf(orientation)
  return `p[${[x, y, z, turn.x, turn.y, turn.z].map((value) => value.toFixed(7)).join(', ')}]`
}

/** Milliseconds between two changes: the controller brakes after 400 ms without one. */
const period = 40

/** Milliseconds without news from the robot, after which the enable is taken away. */
const freshFor = 300

/** Milliseconds after which a robot that does not say what it has received has received it. */
const receivedWithin = 300

const largest = 2 ** 31 - 1

/**
 * The signal that must keep changing while the robot may move. It is taken away as soon as the robot is not heard: a robot that
 * still hears us brakes at once, one that does not brakes because nothing changes.
 */
export class EnableSignal {
  readonly #registers: EnableRegisters
  readonly #write: (values: Record<string, number>) => void
  readonly #heardAt: () => number | undefined
  #timer: NodeJS.Timeout | undefined
  #motion = 0
  #count = 0
  /** Number of the last withdrawal, below 0: no motion has it. */
  #withdrawal = 0
  #withdrawnAt = Number.NEGATIVE_INFINITY

  /** @param heardAt when the robot was heard last, milliseconds of `performance.now()` */
  constructor(
    registers: EnableRegisters,
    write: (values: Record<string, number>) => void,
    heardAt: () => number | undefined,
  ) {
    this.#registers = registers
    this.#write = write
    this.#heardAt = heardAt
  }

  /** Enables the motion of that number, until it is withdrawn. */
  give(motion: number): void {
    clearInterval(this.#timer)
    this.#motion = motion
    this.#timer = startInterval(() => this.#next(), period)
    this.#next()
  }

  /** Takes the enable away: the robot brakes at once. @param motion whose enable it is; without it, any */
  withdraw(motion = this.#motion): void {
    if (motion !== this.#motion) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#motion = 0
    this.#withdrawal = -((-this.#withdrawal % largest) + 1)
    this.#withdrawnAt = performance.now()
    this.#set(0, this.#withdrawal)
  }

  /**
   * Whether the robot may not have received the last withdrawal yet.
   * @param motion the number that it says to have received last; undefined where it does not say it
   */
  isUnaware(motion: number | undefined): boolean {
    if (motion === undefined) return performance.now() - this.#withdrawnAt < receivedWithin
    return this.#withdrawal < 0 && this.#motion === 0 && motion !== this.#withdrawal
  }

  #next(): void {
    if (this.#isHeard) {
      this.#count = (this.#count % largest) + 1
      this.#set(this.#count, this.#motion)
      return
    }
    const motion = this.#motion
    // A process that was busy reads first what has arrived meanwhile.
    setImmediate(() => {
      if (motion === 0 || this.#isHeard) return
      this.withdraw(motion)
    })
  }

  get #isHeard(): boolean {
    const heard = this.#heardAt()
    return heard !== undefined && performance.now() - heard <= freshFor
  }

  #set(enable: number, motion: number): void {
    this.#write({
      [`input_int_register_${this.#registers.enable}`]: enable,
      [`input_int_register_${this.#registers.motion}`]: motion,
    })
  }
}
