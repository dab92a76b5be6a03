/** States of a simulated arm with the numbers of its protocols; settings of the scenario; registers; messages; programs. */
import { type Static, Type } from '../../lib/typebox'

/** Numbered as in the protocols. */
export const robotModes = {
  DISCONNECTED: 0,
  CONFIRM_SAFETY: 1,
  BOOTING: 2,
  POWER_OFF: 3,
  POWER_ON: 4,
  IDLE: 5,
  BACKDRIVE: 6,
  RUNNING: 7,
} as const

export type RobotMode = keyof typeof robotModes

export const safetyModes = {
  NORMAL: 1,
  REDUCED: 2,
  PROTECTIVE_STOP: 3,
  RECOVERY: 4,
  SAFEGUARD_STOP: 5,
  SYSTEM_EMERGENCY_STOP: 6,
  ROBOT_EMERGENCY_STOP: 7,
} as const

export type SafetyMode = keyof typeof safetyModes

export const safetyBits: Readonly<Record<SafetyMode, number>> = {
  NORMAL: 1,
  REDUCED: 2,
  PROTECTIVE_STOP: (1 << 2) | (1 << 10),
  RECOVERY: 1 << 3,
  SAFEGUARD_STOP: (1 << 4) | (1 << 10),
  SYSTEM_EMERGENCY_STOP: (1 << 5) | (1 << 7) | (1 << 10),
  ROBOT_EMERGENCY_STOP: (1 << 6) | (1 << 7) | (1 << 10),
}

export const runtimeStates = {
  STOPPING: 0,
  STOPPED: 1,
  PLAYING: 2,
  PAUSING: 3,
  PAUSED: 4,
  RESUMING: 5,
} as const

export type RuntimeState = keyof typeof runtimeStates

/** On the primary interface, besides the state. */
export type ArmMessage =
  | { kind: 'text'; text: string }
  | { kind: 'key'; title: 'PROGRAM_XXX_STARTED' | 'PROGRAM_XXX_STOPPED'; text: string }
  | { kind: 'error'; code: number; argument: number; level: 1 | 2 | 3 | 4 | 5; text: string }
  | { kind: 'exception'; line: number; column: number; text: string }
  | { kind: 'popup'; title: string; text: string; level: 'message' | 'warning' | 'error'; blocking: boolean }
  | { kind: 'safety'; mode: number }

export interface ArmProgram {
  name: string
  /** Runs until everything in it waits for the next cycle. @returns whether it has ended */
  cycle: () => boolean
  close?: () => void
}

const metres = Type.Number({ minimum: -2, maximum: 2 })

const turn = Type.Number({ minimum: -7, maximum: 7 })

export type ArmSettings = Static<typeof ArmSettings>

/** Provoked on the simulated robot arm. */
export const ArmSettings = Type.Object(
  {
    /** Remote control, without which a controller of the newer generation accepts no program. */
    remote: Type.Boolean({ default: true }),
    /** Once, `now` or at the next motion; the stop has to be unlocked. Another one after `none`. */
    protective_stop: Type.Union([Type.Literal('none'), Type.Literal('now'), Type.Literal('next_motion')], {
      default: 'none',
    }),
    /** The button is pressed. After its release, the arm has to be powered on again. */
    emergency_stop: Type.Boolean({ default: false }),
    /** `cut` resets all connections and refuses new ones; `frozen` keeps them, but sends and reads nothing. */
    link: Type.Union([Type.Literal('ok'), Type.Literal('cut'), Type.Literal('frozen')], { default: 'ok' }),
    /** Share of the speed, besides the speed slider. */
    speed: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
    /** Active tool of the installation in the flange's frame: metres, rotation vector. */
    tcp: Type.Tuple([metres, metres, metres, turn, turn, turn], { default: [0, 0, 0, 0, 0, 0] }),
    /** Of the installation, kg. */
    payload: Type.Number({ default: 0, minimum: 0, maximum: 50 }),
  },
  { additionalProperties: false },
)

/** General-purpose registers: programs read the inputs and write the outputs. */
export class Registers {
  readonly bits = new Map<number, boolean>()
  readonly integers = new Map<number, number>()
  readonly doubles = new Map<number, number>()
}

export const registerCounts = { bits: 128, integers: 48, doubles: 48 } as const
