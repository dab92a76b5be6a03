import type { Parameter } from '../../lib/contract'
import { fixedKinds, kindName } from './kinds'
import { parameterShape } from './parameter-shape'
import { kindOf, textOf } from './per-kind'

/** A value that nobody has set yet, and which therefore may follow what is chosen beside it. */
export interface Follower {
  /** Whether the field still has what was there at first, or what `follow` has put there. */
  isUntouched: () => boolean
  /** Takes the value from the message, as a new node does. */
  reset: () => void
  /** Begins with the present value of a parameter that is on or off or has choices; others stay with the message. */
  follow: (record: Parameter | undefined) => void
}

/** @param isNew whether the node is new: what is stored has been set by somebody */
export function follower(element: JQuery, isNew: boolean): Follower {
  const state = () => `${kindOf(element)} ${textOf(element)}`
  let own = isNew ? 'msg payload' : undefined

  function put(kind: string, text: string) {
    element.typedInput('type', kind)
    element.typedInput('value', text)
    own = state()
  }

  return {
    isUntouched: () => state() === own,
    reset: () => put('msg', 'payload'),
    follow: (record) => {
      const leaf = record && parameterShape(record)
      const [fixed] = leaf && (leaf.type === 'bool' || leaf.choices) ? fixedKinds(leaf, '') : []
      if (fixed) put(kindName(fixed), String(record?.value))
    },
  }
}
