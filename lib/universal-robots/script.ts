import { rotationVectorOf, type Pose } from '../robotics'
import type { Pace } from '../robot-motion'

/** The integer input registers that a motion looks at. */
export interface EnableRegisters {
  /** Must keep changing, and be greater than 0. */
  enable: number
  /** Must be the number of the motion: a script that arrives late, or twice, moves nothing. */
  motion: number
}

/** Seconds without a new enable until the controller brakes: it has begun within half a second. */
export const quietSeconds = 0.4
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
