import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { Value } from '@sinclair/typebox/value'
import { settingsMisfit } from '../cell/settings-misfit'
import { Scenario } from '../scenario'
import { shown } from '../shown'

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
