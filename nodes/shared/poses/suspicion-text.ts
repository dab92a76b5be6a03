import type { PoseFormat, Suspicion } from '../../../lib/robotics'
import { say } from '../sentences'

/** What is wrong with a pose, the suspected reason, and what to do, in the language of this Node-RED. */
export function suspicionText(suspicion: Suspicion, { numbers, maker }: PoseFormat): string {
  switch (suspicion.kind) {
    case 'wrong-count': {
      const names = numbers.map(({ name }) => name).join(' ')
      return say('pose-wrong-count', { ...suspicion, names })
    }
    case 'not-a-number':
      return say('pose-not-a-number', suspicion)
    case 'too-far':
      return say(suspicion.suspected ? 'pose-millimetres' : 'pose-too-far', {
        ...suspicion,
        metres: short(suspicion.metres),
      })
    case 'too-near':
      return say('pose-metres', { millimetres: short(1000 * suspicion.metres) })
    case 'quaternion-not-unit':
      return say('pose-quaternion', { length: short(suspicion.length) })
    case 'angle-out-of-range':
      return say('pose-angle', { ...suspicion, maker, value: short(suspicion.value) })
    case 'rotation-vector-too-long':
      return say('pose-rotation-vector', { length: short(suspicion.length) })
    case 'angles-look-like-radians':
      return say('pose-radians', { ...suspicion, value: short(suspicion.value) })
    case 'not-a-rotation-matrix':
      return say(suspicion.suspected ? 'pose-matrix-rows' : 'pose-matrix', {
        deviation: short(suspicion.deviation),
      })
  }
}

const short = (value: number) => Number(value.toPrecision(4))
