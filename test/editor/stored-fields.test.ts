import should from 'should'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { withoutPlace } from '../support/without-place'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
// Nothing listens there, so that a deployed flow finds no device.
const device = { id: 'device', type: 'vision-device-config', name: 'Cell 1', address: '127.0.0.1:9' }

describe('what edit dialogs store', () => {
  const open = useEditor()

  it('several parameters from the flow context', async () => {
    const editor = await open([tab, device])
    await editor.place('set parameter')
    await editor.field('Device').selectOption('Cell 1')
    await editor.field('Node').fill('dev_camera')
    await editor.field('Write').selectOption('several parameters at once')
    await editor.field('Parameter').waitFor({ state: 'hidden' })
    await editor.chooseKind('Value', 'flow.')
    await editor.field('Value').fill('recipe')
    await editor.close('Done')
    await editor.deploy()

    const [writer] = await editor.stored('vision-set-parameter')
    withoutPlace(writer).should.deepEqual({
      type: 'vision-set-parameter',
      name: '',
      device: 'device',
      pipeline: '0',
      pipelineType: 'str',
      node: 'dev_camera',
      nodeType: 'str',
      which: 'several',
      parameter: '',
      parameterType: 'str',
      value: 'recipe',
      valueType: 'flow',
      putsBack: true,
      wires: [[]],
    })
  })

  for (const [given, isOn] of [
    ['false', false],
    ['${MAY_MOVE}', false],
    [' Yes ', true],
  ] as const)
    it(`a switch whose text is "${given}" as ${isOn}`, async () => {
      const place = { z: 'tab', x: 200, y: 100, wires: [[]] }
      const writer = {
        ...place,
        id: 'writer',
        type: 'vision-set-parameter',
        device: 'device',
        putsBack: given,
      }
      const editor = await open([tab, device, { ...writer, node: 'dev_camera', parameter: 'fps' }])
      await editor.edit('writer')
      await editor.field('Node').waitFor()
      await editor.close('Done')
      await editor.deploy()
      const [stored] = await editor.stored('vision-set-parameter')
      should(stored?.['putsBack']).equal(isOn)
    })

  it('parameters of several nodes as JSON, which is kept', async () => {
    const value = '{"dev_camera":{"fps":10},"dev_stereomatching":{"quality":"Full"}}'
    const place = { z: 'tab', x: 200, y: 100, wires: [[]] }
    const written = { type: 'vision-set-parameter', which: 'nodes', device: 'device', valueType: 'json' }
    const editor = await open([tab, device, { ...place, ...written, id: 'recipe', value }])
    await editor.edit('recipe')
    await editor.field('Node').waitFor({ state: 'hidden' })
    await eventually(async () => (await editor.field('Value').inputValue()).should.equal(value))
    await editor.field('Value').fill('{"fps":10}')
    await editor.field('Value').blur()
    await editor.reason('Value', 'Each node needs an object of its own: { "dev_camera": { "fps": 10 } }.')
    await editor.field('Value').fill(value)
    await editor.field('Value').blur()
    await editor.reason('Value', '')
    await editor.close('Done')
    await editor.edit('recipe')
    ;(await editor.field('Value').inputValue()).should.equal(value)
    await editor.close('Done')
    await editor.deploy()
    const [recipe] = await editor.stored('vision-set-parameter')
    should(recipe).containEql({ which: 'nodes', value, valueType: 'json', putsBack: true })
  })

  it('a second output of call-service exactly while refusals are sent there', async () => {
    const editor = await open([tab, device])
    await editor.place('call service')
    await editor.field('Device').selectOption('Cell 1')
    await editor.field('Node').fill('dev_stereomatching')
    await editor.field('Service').fill('acquisition_trigger')
    await editor.field('If refused').selectOption('send the answer to a second output')
    await editor.field('Answer within').fill('12')
    await editor.close('Done')
    await editor.deploy()

    const [caller] = await editor.stored('vision-call-service')
    withoutPlace(caller).should.deepEqual({
      type: 'vision-call-service',
      name: '',
      device: 'device',
      pipeline: '0',
      pipelineType: 'str',
      node: 'dev_stereomatching',
      nodeType: 'str',
      service: 'acquisition_trigger',
      serviceType: 'str',
      args: '{}',
      argsType: 'json',
      startsModule: true,
      waitsForDepth: false,
      draws: false,
      onRefusal: 'output',
      deadline: 12,
      outputs: 2,
      wires: [[], []],
    })

    await editor.edit(String(caller?.['id']))
    await editor.field('If refused').selectOption('end with the error REFUSED, for a Catch node')
    await editor.close('Done')
    await editor.deploy()
    const [changed] = await editor.stored('vision-call-service')
    changed?.should.have.properties({ onRefusal: 'error', outputs: 1, wires: [[]] })
  })

  it('a number in a virtual device', async () => {
    const editor = await open([tab])
    await editor.place('virtual device')
    await editor.field('Port').fill('0')
    await editor.field('Variant').selectOption('multi: up to four pipelines')
    await editor.field('Node prefix').fill('xy_')
    await editor.field('Scenario').fill('{ "latency_ms": 20 }')
    await editor.close('Done')
    await editor.deploy()

    const [virtual] = await editor.stored('vision-virtual-device')
    withoutPlace(virtual).should.deepEqual({
      type: 'vision-virtual-device',
      name: '',
      port: 0,
      host: '127.0.0.1',
      imagePort: '',
      robotPort: '',
      arm: 'off',
      armPort: '',
      variant: 'multi',
      nodePrefix: 'xy_',
      stateFolder: '',
      seed: 1,
      serial: '',
      model: '',
      imageVersion: '',
      scenario: '{ "latency_ms": 20 }',
      wires: [[]],
    })
  })
})
