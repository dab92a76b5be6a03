import { join } from 'node:path'
import RedRuntime, { type Node, type NodeAPI } from 'node-red'
import should from 'should'
import { fixedNames } from '../../nodes/device/known-nodes'
import { getStatusNode } from '../../nodes/get-status/fields'
import { handEyeCalibrationNode } from '../../nodes/hand-eye-calibration/fields'
import { setParameterNode } from '../../nodes/set-parameter/fields'
import type { Field, NodeDescription } from '../../nodes/shared/fields/description'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'
import { descriptions } from '../../scripts/dialogs'
import { eventually } from '../support/eventually'
import { Bench } from '../support/bench'
import { root } from '../support/root'

const RED = { util: { getSetting: () => undefined } } as unknown as NodeAPI
const node: unknown = {}
const of = (description: NodeDescription, fields: object) =>
  fixedNames(RED, node as Node, description, { ...defaultsOf(description), ...fields })
const none = { nodes: [], streams: [] }

describe('names that a node always uses', () => {
  it('exclude fields that do not show', () => {
    const system = { what: 'system', node: 'dev_camera' }
    should(of(getStatusNode, system)).match(none)
    should(of(getStatusNode, { ...system, what: 'node' }).nodes).match([{ node: 'dev_camera' }])
  })
  it('exclude names from a message, a context or a variable that does not exist', () => {
    for (const nodeType of ['msg', 'flow', 'global', 'jsonata', 'env'])
      should(of(getStatusNode, { nodeType, node: 'camera' })).match(none)
    should(of(getStatusNode, { pipelineType: 'msg', pipeline: 'p', node: 'dev_camera' })).match(none)
  })
  it('exclude tables that are not objects, or come as a whole from another source', () => {
    for (const value of ['', '[', '[1]', '5', '{"$msg":"payload"}'])
      should(of(setParameterNode, { which: 'nodes', valueType: 'form', value })).match(none)
  })
  it('include those of the advanced settings', () =>
    should(of(handEyeCalibrationNode, {}).nodes).match([{ node: 'dev_hand_eye_calibration' }]))
})

describe('every node whose dialog names a node or a stream of the device', () => {
  const named = (description: NodeDescription) =>
    Object.entries<Field>(description.fields).filter(
      ([, field]) => field.kind === 'typed' && (field.pick === 'node' || field.pick === 'stream'),
    )
  const choosing = descriptions(join(root, 'nodes')).filter((description) => named(description).length > 0)

  it('shows in its status that the device has none with that name', async () => {
    const wrong = (description: NodeDescription) =>
      Object.fromEntries(named(description).map(([name]) => [name, 'dev_nowhere']))
    const [first, ...others] = choosing.map((description) => ({
      id: description.type,
      type: `vision-${description.type}`,
      ...wrong(description),
      ...(description.type === 'stream-destination' && { destination: '127.0.0.1:40000' }),
      ...{ device: 'device', z: 'tab', x: 0, y: 0, wires: [] },
    }))
    const bench = new Bench({ ...first, id: 'test' }, { flow: others })
    const shown = new Map<string, unknown>()
    const note = ({ id, status }: { id: string; status: { vision?: unknown } }) =>
      shown.set(id, status.vision)
    RedRuntime.events.on('node-status', note)
    await bench.start()
    try {
      const ids = ['test', ...others.map(({ id }) => id)]
      ids.length.should.be.above(6)
      for (const id of ids) await eventually(() => should(shown.get(id)).match({ count: 'dev_nowhere' }, id))
    } finally {
      RedRuntime.events.off('node-status', note)
      await bench.stop()
    }
  })
})
