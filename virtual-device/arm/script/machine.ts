import type { ArmController } from '../control/controller'
import type { ScriptSockets } from './sockets'
import type { Value } from './values'

/** What a built-in function sees of the program that calls it. */
export interface Machine {
  controller: ArmController
  sockets: ScriptSockets
  /** Id of the thread that runs at present. */
  thread: number
  /** Id of the thread that commanded the present motion. */
  mover: number | undefined
  /** Whether a thread still runs. */
  lives: (thread: number) => boolean
}

/** The end of what a thread does in this cycle. */
export type Wait = Generator<void, undefined, void>

/** A function that the controller provides. */
export interface Builtin {
  /** Names of the arguments, in order; the first `least` have no default. */
  takes: readonly string[]
  least: number
  /** Either at once, or by waiting for cycles. */
  call: (machine: Machine, values: Value[]) => Value | Generator<void, Value, void>
}
