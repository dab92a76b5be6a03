import { join } from 'node:path'
import type { NodeMessage } from 'node-red'
import util from '@node-red/util'
import should from 'should'
import { isUnpermitted, markOrigin, permit } from '../../nodes/shared/permission'
import { descriptions } from '../../scripts/dialogs'
import { useBench } from '../support/bench'
import { root } from '../support/root'

// What Dashboard itself does with these messages is in test/operator, with a real one.

interface Case {
  fields?: object
  message?: NodeMessage
}

/** A message for each node that changes something, and for those that also read, one that does not. */
const cases: Readonly<Record<string, { changing: Case[]; reading?: Case[] }>> = {
  backup: {
    changing: [{ fields: { action: 'restore', confirmed: true }, message: { payload: {} } }, { fields: {} }],
    reading: [{ fields: { action: 'save', target: 'message' } }],
  },
  'call-service': {
    changing: [
      { fields: { node: 'dev_roi_db', service: 'delete_regions_of_interest' } },
      { fields: { node: 'dev_camera' }, message: { service: 'reset_defaults' } },
      { fields: { node: 'dev_roi_db', service: 'xdetect_get_' } },
    ],
    reading: [{ fields: { node: 'dev_roi_db', service: 'get_regions_of_interest' } }],
  },
  'cell-agent': { changing: [{ message: { topic: 'event', payload: 'x' } }] },
  database: {
    changing: [{ fields: { action: 'delete', recordId: 'x', recordIdType: 'str' } }],
    reading: [{ fields: { action: 'get', recordId: '' } }],
  },
  'device-request': {
    changing: [
      { fields: { operation: 'reboot', confirmed: true } },
      { message: { operation: 'deletePipeline' } },
      {
        fields: { operation: 'callGlobalService', input: 'payload', inputType: 'msg' },
        message: { payload: { node: 'dev_roi_db', service: 'set_region_of_interest' } },
      },
    ],
    reading: [{ fields: { operation: 'getTime' } }],
  },
  'firmware-update': {
    changing: [
      { fields: { mode: 'update', confirmed: true } },
      { fields: { mode: 'check' }, message: { topic: 'resume' } },
    ],
    reading: [{ message: { topic: 'login' } }],
  },
  fleet: {
    changing: [
      { message: { action: 'rollout', payload: {} } },
      { message: { action: 'stop' } },
      { message: { topic: 'vision/v1/plant/cell/state', payload: {} } },
    ],
  },
  'hand-eye-calibration': { changing: [{ message: { topic: 'start' } }, { message: { topic: 'save' } }] },
  'operator-calibration': { changing: [{ message: { topic: 'start' } }] },
  'operator-fleet': { changing: [{ message: { topic: 'stop' } }, { message: { payload: {} } }] },
  'operator-panel': { changing: [{ message: { topic: 'trigger' } }, { message: { topic: 'acknowledge' } }] },
  pipeline: {
    changing: [
      { fields: { action: 'delete', pipeline: '1', pipelineType: 'str', confirmed: true } },
      { fields: { action: 'apply', confirmed: true } },
    ],
    reading: [{ fields: { action: 'list' } }],
  },
  'plc-messages': { changing: [{ message: { payload: [0, 1] } }] },
  'plc-result': { changing: [{ message: { payload: [] } }] },
  recipes: {
    changing: [
      { message: { topic: 'delete', payload: { was: 1, revision: 0 } } },
      { message: { topic: 'refresh' } },
      { message: { payload: { job: 1 } } },
      { message: { visible: true, enabled: true } },
    ],
  },
  robot: {
    changing: [
      { fields: { action: 'move' }, message: { payload: [1, 2, 3, 4, 5, 6] } },
      { fields: { action: 'move' }, message: { topic: 'confirm' } },
      { fields: { action: 'move' }, message: { topic: 'reset' } },
    ],
  },
  'robot-answer': { changing: [{ message: { payload: [] } }] },
  'set-parameter': {
    changing: [{ fields: { node: 'dev_camera', parameter: 'fps', value: '3', valueType: 'num' } }],
  },
  'stream-destination': {
    changing: [
      { fields: { action: 'clear', stream: 'imu' } },
      {
        fields: { action: 'message', stream: 'imu' },
        message: { action: 'add', destination: '127.0.0.1:9' },
      },
    ],
    reading: [{ fields: { action: 'list', stream: 'imu' } }],
  },
  system: {
    changing: [
      { fields: { action: 'reboot', confirmed: true } },
      { fields: { action: 'message' }, message: { action: 'setTime' } },
    ],
    reading: [
      { fields: { action: 'getTime' } },
      { fields: { action: 'message' }, message: { action: 'info' } },
    ],
  },
  'virtual-device': { changing: [{ fields: { port: 0 }, message: { topic: 'stop' } }] },
  'virtual-plc': { changing: [{ message: { job: 1 } }] },
}

/** What Dashboard adds to a message of a page, and what a page can add itself. */
const fromPage: readonly object[] = [
  { _client: { socketId: 'x', socketIp: '127.0.0.1' } },
  { _client: {} },
  {
    _client: {
      socketId: 'x',
      isLoggedIn: true,
      isPermitted: true,
      'Symbol(page of Dashboard)': { isPermitted: true },
    },
  },
  { _client: 'x', isPermitted: true },
]
const page = { socketId: 'x', isLoggedIn: true }

/** As it leaves *operator permission*. */
function permitted<Message extends object>(message: Message): Message {
  markOrigin(message, page)
  permit(message)
  return message
}

describe('a message of a page', () => {
  it('is refused by each node that changes something: none is missing here', () => {
    descriptions(join(root, 'nodes'))
      .flatMap((node) => ('inputs' in node && node.inputs === 1 && node.changes !== false ? [node.type] : []))
      .sort()
      .should.deepEqual(Object.keys(cases).sort())
  })

  it('stays one in a copy, and may pass only where it was permitted', () => {
    const message = { payload: { deep: [1] }, _client: { socketId: 'x' } }
    isUnpermitted(message).should.be.true()
    markOrigin(message, page)
    const copy = permitted(util.util.cloneMessage(message))
    should(copy._client).be.undefined()
    isUnpermitted(util.util.cloneMessage(copy)).should.be.false()
    isUnpermitted({ ...copy }).should.be.false()
    isUnpermitted(message).should.be.true()
    isUnpermitted({ payload: 1 }).should.be.false()
  })

  it('is one without client data too, and another page cannot use the permission of the first', () => {
    const silent = { payload: 1 }
    markOrigin([[silent]], page)
    isUnpermitted(silent).should.be.true()
    const passed = permitted({ payload: 1, _client: { socketId: 'x' } })
    isUnpermitted({ ...passed, _client: { socketId: 'x' } }).should.be.false()
    isUnpermitted({ ...passed, _client: { socketId: 'y' } }).should.be.true()
    // Dashboard keeps what a widget got, and sends it again with the next change.
    markOrigin(passed, { socketId: 'y', isLoggedIn: true })
    isUnpermitted(passed).should.be.true()
  })
})

for (const [type, { changing, reading = [] }] of Object.entries(cases)) {
  describe(`${type} and messages of a page`, () => {
    const bench = useBench(
      { type: `vision-${type}`, port: 0 },
      { device: { variant: type === 'pipeline' ? 'multi' : 'single' } },
    )
    const deploy = (fields: object = {}) => bench.deploy({ type: `vision-${type}`, ...fields })

    changing.forEach(({ fields, message = {} }, index) => {
      it(`refuses message ${index + 1}, however the page has marked it`, async () => {
        await deploy(fields)
        for (const marks of fromPage)
          await bench.send({ ...message, ...marks }).should.be.rejectedWith({
            code: 'FORBIDDEN',
            message: /operator permission/,
          })
      })
    })

    if (reading.length > 0)
      it('answers what only reads', async () => {
        for (const { fields, message = {} } of reading) {
          await deploy(fields)
          await bench.send({ ...message, ...fromPage[0] })
        }
      })
  })
}

describe('a message that operator permission let pass', () => {
  const bench = useBench({
    ...{ type: 'vision-set-parameter', node: 'dev_camera', parameter: 'fps' },
    ...{ value: 'payload', valueType: 'msg' },
  })

  it('changes what it is for, in a copy too', async () => {
    const passed = permitted({ payload: 7, _client: { socketId: 'x' } })
    should((await bench.send(util.util.cloneMessage(passed))).payload).equal(7)
    should((await bench.send({ payload: 8 })).payload).equal(8)
  })
})
