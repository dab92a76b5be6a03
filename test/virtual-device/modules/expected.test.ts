import should from 'should'
import type { Shape, Variant } from '../../../lib/contract'
import { sensorKinds } from '../../../virtual-device/options'
import { moduleBench } from '../../support/module-bench'
import expectations from './expected-modules.json'

interface Expected {
  scope: string
  variants: Variant[]
  /** Kinds of sensor whose pipelines have it in this form; if missing, all do. */
  kinds?: string[]
  parameters: Record<string, { variants?: Variant[]; [field: string]: unknown }>
  services: Record<string, { args: Shape; response: Shape; variants?: Variant[] }>
  values: string[]
}

const expected = Object.entries(expectations as unknown as Record<string, Expected>)

for (const [variant, kind] of [
  ['single', 'stereo_a'],
  ...sensorKinds.map((each) => ['multi', each] as const),
] as const)
  describe(`the modules of the ${variant} variant with a sensor of kind ${kind}`, () => {
    const bench = moduleBench(variant, undefined, { kind })
    const onThis = <Each extends { variants?: Variant[] }>(all: Record<string, Each>) =>
      Object.entries(all).filter(([, { variants }]) => variants?.includes(variant) ?? true)

    it('are all in expected-modules.json, which compares every name', () => {
      const known = expected.map(([name]) => name)
      bench
        .names()
        .filter((name) => !known.includes(name))
        .should.deepEqual([])
    })

    for (const [name, { variants, kinds, scope, parameters, services, values }] of expected) {
      const fits = kinds?.includes(kind) ?? true
      if (name === 'camera' && !fits) continue
      if (!variants.includes(variant) || !fits) {
        it(`have no ${name}`, () => bench.names().should.not.containEql(name))
        continue
      }

      it(`have ${name} with its parameters, their types, limits, defaults and choices`, () => {
        const module = bench.module(name)
        module.scope.should.equal(scope)
        const wanted = onThis(parameters)
        module.parameters
          .map((each) => each.name)
          .sort()
          .should.deepEqual(wanted.map(([each]) => each).sort())
        for (const [parameter, wantedFields] of wanted) {
          const { variants: every, ...fields } = { variants, ...wantedFields }
          every.should.containEql(variant)
          const definition = module.parameters.find((each) => each.name === parameter)
          should(definition).have.properties(fields)
          should(definition?.default).not.be.undefined()
          definition?.description.should.not.be.empty()
        }
      })

      it(`have ${name} with its services and their shapes`, () => {
        const module = bench.module(name)
        const wanted = onThis(services)
        Object.keys(module.services)
          .sort()
          .should.deepEqual(wanted.map(([service]) => service).sort())
        for (const [service, { args, response }] of wanted) {
          const definition = module.services[service]
          should(definition?.args).deepEqual(args)
          should(definition?.response).deepEqual(response)
          definition?.description.should.not.be.empty()
          for (const path of definition?.required ?? []) should(atPath(args, path)).be.ok()
        }
      })

      it(`have ${name} with its status values`, () => {
        Object.keys(bench.status(name))
          .sort()
          .should.deepEqual([...values].sort())
        const { state, atRest } = bench.module(name)
        should(bench.status(name).state).equal(state?.())
        // Only a module without a state can be at rest.
        if (state) should(atRest).be.undefined()
      })
    }
  })

function atPath(shape: Shape, path: string): Shape | undefined {
  let found: Shape | undefined = shape
  for (const key of path.split('.')) found = (found as Record<string, Shape> | undefined)?.[key]
  return found
}
