import { families, type FamilyId } from '../../../lib/plc/families'
import {
  createHandshake,
  type Cycle,
  type Effect,
  type Handshake,
  type HandshakeEvent,
  type HandshakeOptions,
} from '../../../lib/plc/handshake'
import type { CellOutputs, PlcInputs } from '../../../lib/plc/rows'

/** A handshake with a clock of its own, a PLC that is a record of words, and a flow that answers when told to. */
export function handshakeBench(family: FamilyId, options: Partial<HandshakeOptions> = {}) {
  let now = 0
  let tokens = 0
  let machine: Handshake
  let words: CellOutputs
  let inputs: PlcInputs = {}
  let effects: Effect[] = []
  const create = (more: Partial<HandshakeOptions> = {}) => {
    machine = createHandshake({
      family: families[family],
      newToken: () => `token ${(tokens += 1)}`,
      now,
      ...options,
      ...more,
    })
  }
  const send = (event: HandshakeEvent) => {
    const happened = machine.handle(event, now)
    for (const effect of happened) if (effect.type === 'write') words = effect.outputs
    effects = [...effects, ...happened]
    return happened
  }
  create()

  return {
    send,
    /** Up, looked at, and the device ready. */
    ready: (first: PlcInputs = {}) => {
      send({ type: 'device', ready: true })
      send({ type: 'link', up: true })
      inputs = { trigger: false, command: 0, sequence: 0, ...first }
      send({ type: 'sample', inputs })
    },
    /** Changes words of the PLC, and shows them. */
    plc: (change: PlcInputs, kept?: boolean) => {
      inputs = { ...inputs, ...change }
      return send({ type: 'sample', inputs, ...(kept !== undefined && { kept }) })
    },
    /** So many milliseconds later, waking up whenever the machine wants it. */
    pass: (milliseconds: number) => {
      const until = now + milliseconds
      for (let at = machine.wakeAt; at !== undefined && at <= until; at = machine.wakeAt) {
        now = at
        send({ type: 'clock' })
      }
      now = until
    },
    /** Another run of the same handshake. */
    restart: create,
    words: () => words,
    machine: () => machine,
    /** The effects of one kind since the last time. */
    effects: <Type extends Effect['type']>(type: Type) =>
      effects.filter((effect): effect is Extract<Effect, { type: Type }> => effect.type === type),
    cycles: (): Cycle[] => effects.flatMap((effect) => (effect.type === 'start' ? [effect.cycle] : [])),
    told: () => effects.flatMap((effect) => (effect.type === 'told' ? [effect.what] : [])),
    forget: () => {
      effects = []
    },
  }
}

/** The flags that are on, and the code. */
export const shown = ({ ready, busy, done, error, code }: CellOutputs): string =>
  [ready && 'ready', busy && 'busy', done && 'done', error && 'error', code]
    .filter((part) => part !== false)
    .join(' ')
