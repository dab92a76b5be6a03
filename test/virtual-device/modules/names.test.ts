import should from 'should'
import type { Shape, Variant } from '../../../lib/contract'
import { sensorKinds } from '../../../virtual-device/options'
import { moduleBench } from '../../support/module-bench'
import names from './names.json'

interface Names {
  scope: string
  variants: Variant[]
  /** Kinds of sensor whose pipelines have it in this form; if missing, all do. */
  kinds?: string[]
  /** Separated by spaces; `name@single` is on that variant alone. */
  parameters: string
  services: string
  values: string
}

const expected = Object.entries(names as unknown as Record<string, Names>)

for (const [variant, kind] of [
  ['single', 'stereo_a'],
  ...sensorKinds.map((each) => ['multi', each] as const),
] as const)
  describe(`the modules of the ${variant} variant with a sensor of kind ${kind}`, () => {
    const bench = moduleBench(variant, undefined, { kind })
    const listed = (all: string) =>
      all
        .split(' ')
        .filter((name) => name && (!name.includes('@') || name.endsWith(`@${variant}`)))
        .map((name) => name.split('@')[0])
        .sort()

    it('have the names of the specification: no more, no fewer', () => {
      const known = expected.map(([name]) => name)
      should(bench.names().filter((name) => !known.includes(name))).deepEqual([])
      for (const [name, { variants, kinds, scope, parameters, services, values }] of expected) {
        const fits = kinds?.includes(kind) ?? true
        if (name === 'camera' && !fits) continue
        should(bench.names().includes(name)).equal(variants.includes(variant) && fits, name)
        if (!bench.names().includes(name)) continue
        const module = bench.module(name)
        should(module.scope).equal(scope, name)
        should(module.parameters.map((each) => each.name).sort()).deepEqual(listed(parameters), name)
        should(Object.keys(module.services).sort()).deepEqual(listed(services), name)
        should(Object.keys(bench.status(name)).sort()).deepEqual(listed(values), name)
      }
    })

    it('describe their parameters and services, with a default and the arguments that they require', () => {
      for (const name of bench.names()) {
        const { parameters, services } = bench.module(name)
        for (const parameter of parameters) {
          should(parameter.default).not.be.undefined()
          should(parameter.description).not.be.empty()
        }
        for (const { description, args, required = [] } of Object.values(services)) {
          should(description).not.be.empty()
          for (const path of required) should(atPath(args, path)).be.ok()
        }
      }
    })

    it('report their state, or can be at rest', () => {
      for (const name of bench.names()) {
        const { state, atRest } = bench.module(name)
        should(bench.status(name).state).equal(state?.())
        // Only a module without a state can be at rest.
        if (state) should(atRest).be.undefined()
      }
    })
  })

function atPath(shape: Shape, path: string): Shape | undefined {
  let found: Shape | undefined = shape
  for (const key of path.split('.')) found = (found as Record<string, Shape> | undefined)?.[key]
  return found
}
