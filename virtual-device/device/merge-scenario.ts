import { Type, TypeCompiler, Value } from '../../lib/typebox'
import { Scenario } from '../scenario'
import { shown } from '../values'
import { lengthOf } from '../../lib/robotics/pose'
import type { CellSettings } from '../cell/cell'

const poses = ['camera_on_hand', 'grid_in_cell', 'grid_on_hand', 'camera_in_cell'] as const

/** Manually typed digits are rounded. */
const tolerance = 0.01

const part = TypeCompiler.Compile(Type.Partial(Scenario))

/** All keys at their defaults, with all of these license components present. */
export const defaultScenario = (components: readonly string[]): Scenario => ({
  ...Value.Create(Scenario),
  license: Object.fromEntries(components.map((component) => [component, true])),
})

/**
 * Changes a part of the scenario; `license` and `scene` are merged key by key.
 * @throws TypeError with a sentence naming the unknown or invalid key
 */
export function mergedScenario(current: Scenario, change: unknown): Scenario {
  if (typeof change !== 'object' || change === null || Array.isArray(change))
    throw new TypeError(`A scenario is an object, not ${shown(change)}.`)
  const unknown = Object.keys(change).find((key) => !Object.hasOwn(Scenario.properties, key))
  if (unknown !== undefined) throw new TypeError(`${shown(unknown)} is no key of the scenario.`)
  const error = part.Errors(change).First()
  if (error) {
    const path = error.path.slice(1).replaceAll('/', '.')
    throw new TypeError(`${path}: ${shown(error.value)} does not fit (${error.message}).`)
  }
  const { license, scene, arm, ...rest } = change as Partial<Scenario>
  const misfit = scene?.hand_eye && settingsMisfit(scene.hand_eye)
  if (misfit) throw new TypeError(`scene.hand_eye.${misfit}`)
  return {
    ...current,
    ...rest,
    license: { ...current.license, ...license },
    scene: { ...current.scene, ...scene },
    arm: { ...current.arm, ...arm },
  }
}

/** What is wrong with settings of the right types, as a sentence; undefined if they are valid. */
function settingsMisfit(settings: Partial<CellSettings>): string | undefined {
  const skewed = poses.find((name) => {
    const pose = settings[name]
    return pose && Math.abs(lengthOf(pose.orientation) - 1) > tolerance
  })
  if (skewed) return `${skewed}.orientation must be a unit quaternion.`
  const { nearest = 0, farthest = Infinity } = settings
  return nearest < farthest ? undefined : `nearest (${nearest}) must be less than farthest (${farthest}).`
}
