/** Modes of a robot as its protocols number them. */
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

/** `safety_status_bits` of RTDE. */
export const safetyBits: Readonly<Record<SafetyMode, number>> = {
  NORMAL: 1,
  REDUCED: 2,
  PROTECTIVE_STOP: (1 << 2) | (1 << 10),
  RECOVERY: 1 << 3,
  SAFEGUARD_STOP: (1 << 4) | (1 << 10),
  SYSTEM_EMERGENCY_STOP: (1 << 5) | (1 << 7) | (1 << 10),
  ROBOT_EMERGENCY_STOP: (1 << 6) | (1 << 7) | (1 << 10),
}

/** `runtime_state` of RTDE. */
export const runtimeStates = {
  STOPPING: 0,
  STOPPED: 1,
  PLAYING: 2,
  PAUSING: 3,
  PAUSED: 4,
  RESUMING: 5,
} as const
export type RuntimeState = keyof typeof runtimeStates

/** What a controller tells on its primary interface besides its state. */
export type ArmMessage =
  | { kind: 'text'; text: string }
  | { kind: 'key'; title: 'PROGRAM_XXX_STARTED' | 'PROGRAM_XXX_STOPPED'; text: string }
  | { kind: 'error'; code: number; argument: number; level: 1 | 2 | 3 | 4 | 5; text: string }
  | { kind: 'exception'; line: number; column: number; text: string }
  | { kind: 'popup'; title: string; text: string; level: 'message' | 'warning' | 'error'; blocking: boolean }
  | { kind: 'safety'; mode: number }

/** A program that a controller runs. */
export interface ArmProgram {
  name: string
  /** Runs until everything in it waits for the next cycle. @returns whether it has ended */
  cycle: () => boolean
  /** It has ended, or was replaced. */
  close?: () => void
}
