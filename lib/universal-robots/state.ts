/** Converts a package of RTDE: the recipe, and a `RobotState` in metres. */
import type { ProgramState, RobotMode, RobotState, SafetyState } from '../robot-motion'
import { composed, inverted, ofRotationVector, type Pose } from '../robotics'
import type { RtdeValue } from './rtde'

export const outputs = [
  'timestamp',
  'actual_TCP_pose',
  'tcp_offset',
  'actual_q',
  'actual_TCP_speed',
  'robot_mode',
  'safety_status_bits',
  'runtime_state',
  'speed_scaling',
] as const

export const optionalOutputs = ['payload', 'payload_cog'] as const

const modes: Readonly<Record<number, RobotMode>> = {
  [-1]: 'no-controller',
  0: 'disconnected',
  1: 'confirm-safety',
  2: 'booting',
  3: 'power-off',
  4: 'power-on',
  5: 'idle',
  6: 'backdrive',
  7: 'running',
  8: 'updating',
}

/** Bits of `safety_status_bits`, the most severe first. */
const safetyBits: readonly (readonly [bit: number, SafetyState])[] = [
  [5, 'emergency-stop'],
  [6, 'emergency-stop'],
  [7, 'emergency-stop'],
  [9, 'fault'],
  [8, 'fault'],
  [2, 'protective-stop'],
  [3, 'recovery'],
  [4, 'safeguard-stop'],
  [10, 'safeguard-stop'],
  [1, 'reduced'],
  [0, 'normal'],
]

/** `runtime_state`: 0 stopping, 1 stopped, 2 playing, 3 pausing, 4 paused, 5 resuming. */
const programs: Readonly<Record<number, ProgramState>> = { 1: 'stopped', 3: 'paused', 4: 'paused' }

export function stateOf(
  values: Readonly<Record<string, RtdeValue>>,
  { receivedAt = performance.now(), unaware = false }: { receivedAt?: number; unaware?: boolean } = {},
): RobotState {
  const numbers = (name: string): readonly number[] => {
    const value = values[name]
    return Array.isArray(value) ? (value as number[]) : []
  }
  const number = (name: string) => Number(values[name])
  const [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0] = numbers('actual_TCP_speed')
  const tcp = poseOf(numbers('actual_TCP_pose'))
  const tcpOffset = poseOf(numbers('tcp_offset'))
  const bits = number('safety_status_bits')
  const [cx, cy, cz] = numbers('payload_cog')
  return {
    receivedAt,
    tcp,
    tcpOffset,
    flange: composed(tcp, inverted(tcpOffset)),
    joints: numbers('actual_q'),
    speed: Math.hypot(x, y, z),
    turning: Math.hypot(rx, ry, rz),
    mode: modes[number('robot_mode')] ?? 'unknown',
    safety: safetyBits.find(([bit]) => (bits & (1 << bit)) !== 0)?.[1] ?? 'unknown',
    program: programs[number('runtime_state')] ?? 'running',
    ...(values['payload'] !== undefined && {
      payload: {
        mass: number('payload'),
        ...(cx !== undefined && cy !== undefined && cz !== undefined && { centre: { x: cx, y: cy, z: cz } }),
      },
    }),
    speedScaling: number('speed_scaling'),
    unaware,
  }
}

/** Six numbers: metres and a rotation vector. */
const poseOf = ([x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0]: readonly number[]): Pose => ({
  position: { x, y, z },
  orientation: ofRotationVector({ x: rx, y: ry, z: rz }),
})
