import { computations } from './computations'
import type { Builtin } from './machine'
import { motions } from './motions'
import { socketFunctions } from './sockets'
import { stateFunctions } from './state-functions'
import type { Value } from './values'

/** The supported subset of the language's functions. */
export const builtins: Readonly<Partial<Record<string, Builtin>>> = {
  ...motions,
  ...stateFunctions,
  ...computations,
  ...socketFunctions,
}

/** Names that stand for themselves. */
export const constants: Readonly<Partial<Record<string, Value>>> = {
  pi: Math.PI,
  enter_critical: undefined,
  exit_critical: undefined,
}
