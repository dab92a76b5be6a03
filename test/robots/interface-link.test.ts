import should from 'should'
import { InterfaceLink, type InterfaceLinkOptions, type LinkTold } from '../../lib/robots'
import type { Reply, RobotCycle } from '../../lib/robots'
import { interfaceCodes, jobStates, type ReceivedAnswer } from '../../lib/robot-interface'
import { toInterface } from '../../nodes/robots/codes'
import { seededRandom } from '../../virtual-device/values'
import { difference } from '../robotics/seeded-poses'
import { eventually } from '../support/eventually'
import { requestOf, Robot } from '../virtual-device/robot/robot'
import { at, codes, present } from './options'

const { API_RESPONSE_ERROR, JOB_STILL_RUNNING, NO_POSES_FOUND, NO_RELATED_POSES } = interfaceCodes
const item = { pose: at(405, 0, 280), data: [7] }
const two = [
  { pose: at(400, 0, 300, 10, 20, 30), related: [item], data: [850_000, -1] },
  { pose: at(410, 0, 300) },
]
const isAt = (answer: ReceivedAnswer, pose: ReturnType<typeof at>) =>
  difference(present(answer.pose), pose).should.be.below(1e-5)

describe("a link that speaks the device's robot interface", () => {
  let link: InterfaceLink
  let cycles: RobotCycle[]
  let told: LinkTold[]
  let replies: Reply[]
  let over: string[]
  let clock: number
  /** Answers each cycle by itself. */
  let isAnswering = false
  const robots: Robot[] = []

  async function open(more: Partial<InterfaceLinkOptions> = {}): Promise<void> {
    let count = 0
    cycles = []
    told = []
    replies = []
    over = []
    clock = 0
    link = await InterfaceLink.open(
      {
        ...{ host: '127.0.0.1', port: 0, allow: ['127.0.0.1'], connections: 8 },
        ...{ codes, toInterface, jobs: [], deadline: 60_000, oldest: 60_000, workspace: {} },
        newToken: () => `t${String(++count)}`,
        ...more,
      },
      {
        onCycle: (cycle) => {
          cycles.push(cycle)
          if (isAnswering) setImmediate(() => link.answer(cycle.token, { code: 0, poses: two }))
        },
        onOver: ({ token }) => over.push(token),
        onReply: (reply) => replies.push(reply),
        onNotice: (each) => told.push(each),
        onChange: () => undefined,
      },
      () => clock,
    )
  }
  const connect = async (): Promise<Robot> => {
    const robot = await Robot.connected(link.port)
    robots.push(robot)
    return robot
  }
  const asked = (count = 1) =>
    eventually(() => {
      cycles.length.should.equal(count)
      return present(cycles.at(-1))
    })

  afterEach(async () => {
    isAnswering = false
    for (const robot of robots.splice(0)) robot.close()
    await link.close()
  })

  it('hands over the first pose of a job, then each next one and what belongs to it', async () => {
    await open()
    const robot = await connect()
    const pose = at(445, 0, 500, 0, 90, 0)
    const first = robot.ask('TRIGGER_JOB_SYNC', { job: 3, pose, format: 24, data: [103, 203] })
    const cycle = await asked()
    cycle.should.match({ command: 'TRIGGER_JOB_SYNC', job: 3, data: [103, 203, 0, 0] })
    difference(present(cycle.pose), pose).should.be.below(1e-5)
    link.answer(cycle.token, { code: 0, returnCode: 5, poses: two }).should.match({
      reply: { code: 0, count: 2 },
    })
    const answer = await first
    answer.should.match({ code: 0, jobId: 3, action: 2, poseFormat: 24, moduleCode: 5, data2: 1, data3: 1 })
    answer.extra.should.eql([850_000, -1, 0, 0, 0, 0, 0])
    isAt(answer, at(400, 0, 300, 10, 20, 30))
    const related = await robot.ask('GET_RELATED_POSE', { job: 3 })
    related.should.match({ code: 0, data2: 1, data3: 0 })
    related.extra[0]?.should.equal(7)
    isAt(related, item.pose)
    ;(await robot.ask('GET_RELATED_POSE', { job: 3 })).code.should.equal(NO_RELATED_POSES)
    const next = await robot.ask('GET_NEXT_POSE', { job: 3 })
    next.should.match({ code: 0, data2: 0, data3: 0 })
    isAt(next, at(410, 0, 300))
    ;(await robot.ask('GET_NEXT_POSE', { job: 3 })).should.match({ code: NO_POSES_FOUND, pose: undefined })
    cycles.length.should.equal(1)
  })

  it('takes a job that nobody waits for, tells its state, and keeps its poses for any robot', async () => {
    await open()
    const [robot, other] = [await connect(), await connect()]
    ;(await robot.ask('STATUS')).should.match({ code: 0, data2: 1 })
    ;(await robot.ask('GET_JOB_STATUS', { job: 1 })).data2.should.equal(jobStates.INACTIVE)
    ;(await robot.ask('TRIGGER_JOB_ASYNC', { job: 1 })).should.match({ code: 0, data2: 0, pose: undefined })
    ;(await robot.ask('GET_JOB_STATUS', { job: 1 })).data2.should.equal(jobStates.RUNNING)
    for (const action of [
      'TRIGGER_JOB_SYNC',
      'TRIGGER_JOB_ASYNC',
      'GET_NEXT_POSE',
      'GET_RELATED_POSE',
    ] as const)
      (await other.ask(action, { job: 1 })).code.should.equal(JOB_STILL_RUNNING)
    const { token } = await asked()
    link.answer(token, { code: 0, poses: two }).should.match({ reply: { code: 0, count: 2, isKept: true } })
    ;(await other.ask('GET_JOB_STATUS', { job: 1 })).data2.should.equal(jobStates.DONE)
    isAt(await other.ask('GET_NEXT_POSE', { job: 1 }), at(400, 0, 300, 10, 20, 30))
    isAt(await robot.ask('GET_NEXT_POSE', { job: 1 }), at(410, 0, 300))
    link.answer(token, { code: 0, poses: two }).should.eql({ dropped: 'second' })
    link.answer('made up', { code: 0 }).should.eql({ dropped: 'foreign' })
  })

  it('serves three robots at once, each with the answer to its own request', async () => {
    await open()
    const three = [await connect(), await connect(), await connect()]
    const answers = three.map((robot, job) => robot.ask('TRIGGER_JOB_SYNC', { job }))
    await asked(3)
    for (const { token, job = 0 } of cycles.toReversed())
      link.answer(token, { code: 0, poses: [{ pose: at(100 * job, 0, 300) }] })
    for (const [job, answer] of answers.entries()) {
      ;(await answer).should.match({ code: 0, jobId: job })
      isAt(await answer, at(100 * job, 0, 300))
    }
  })

  it('takes a request in 1 to 54 pieces, and answers each in one write', async () => {
    await open()
    const robot = await connect()
    const bytes = requestOf('TRIGGER_JOB_SYNC')
    for (let count = 1; count <= 54; count++) {
      const size = Math.floor(54 / count)
      for (let piece = 0; piece < count; piece++)
        robot.send(bytes.subarray(piece * size, piece === count - 1 ? 54 : (piece + 1) * size))
      const { token } = await asked(count)
      link.answer(token, { code: 0, poses: two })
      should(await robot.answer()).have.properties({ code: 0, action: 2 })
    }
    robot.pieces.should.eql(Array<number>(54).fill(80))
  })

  it('answers requests that come at once one after the other', async () => {
    await open()
    const robot = await connect()
    robot.send(Buffer.concat([1, 2].map((job) => requestOf('TRIGGER_JOB_SYNC', { job }))))
    link.answer((await asked(1)).token, { code: 0, poses: two })
    should(await robot.answer()).have.properties({ jobId: 1 })
    link.answer((await asked(2)).token, { code: 0, poses: two })
    should(await robot.answer()).have.properties({ jobId: 2 })
  })

  const failures: [name: string, result: object, code: number, moduleCode: number][] = [
    ['an empty bin', { code: 0, poses: [] }, NO_POSES_FOUND, 0],
    ['a module that refuses', { code: -4, returnCode: -4 }, API_RESPONSE_ERROR, -4],
    ['a device that is gone', { code: 201 }, interfaceCodes.API_NOT_REACHABLE, 201],
    ['a device that is too slow', { code: 202 }, interfaceCodes.PROCESSING_TIMEOUT, 202],
    ['any other error', { code: 299 }, interfaceCodes.UNKNOWN_ERROR, 299],
    ['a code of the flow', { code: 42 }, API_RESPONSE_ERROR, 42],
    ['a code of the interface', { code: -13 }, interfaceCodes.MISCONFIGURED_JOB, 0],
    ['no pose by its definition', { code: 0 }, interfaceCodes.NO_RETURN_SPECIFIED, 0],
    ['an old picture', { code: 0, poses: two, age: 60_001 }, API_RESPONSE_ERROR, codes.TOO_OLD],
    [
      'a picture of elsewhere',
      { code: 0, poses: two, takenAt: at(447, 0, 500) },
      API_RESPONSE_ERROR,
      codes.OTHER_POSE,
    ],
    [
      'poses outside the workspace',
      { code: 0, poses: [{ pose: at(900, 0, 0) }] },
      API_RESPONSE_ERROR,
      codes.OUTSIDE,
    ],
    [
      'a pose that 32 bits do not hold',
      { code: 0, poses: [{ pose: at(2147.484, 0, 0) }] },
      interfaceCodes.INTERNAL_ERROR,
      0,
    ],
  ]
  for (const [name, result, code, moduleCode] of failures)
    it(`answers ${name} with code ${String(code)} and ${String(moduleCode)}, never with a pose`, async () => {
      const box = [
        [-3, 0.8],
        [-3, 3],
        [-3, 3],
      ] as const
      await open(name.startsWith('poses outside') ? { workspace: { box } } : {})
      const robot = await connect()
      const answer = robot.ask('TRIGGER_JOB_SYNC', { pose: at(445, 0, 500) })
      const given = link.answer((await asked()).token, result as { code: number })
      should(await answer).have.properties({ code, moduleCode, pose: undefined })
      given.should.match({ reply: { code } })
      ;(await robot.ask('GET_NEXT_POSE')).should.have.property('pose', undefined)
    })

  it('is ready as long as its cell is', async () => {
    let isReady = true
    await open({ isReady: () => isReady })
    const robot = await connect()
    ;(await robot.ask('STATUS')).should.match({ code: 0, data2: 1 })
    isReady = false
    ;(await robot.ask('STATUS')).should.match({ code: 0, data2: 0 })
  })

  it('knows only the jobs that are listed', async () => {
    await open({ jobs: [1] })
    const robot = await connect()
    for (const action of [
      'TRIGGER_JOB_SYNC',
      'TRIGGER_JOB_ASYNC',
      'GET_JOB_STATUS',
      'GET_NEXT_POSE',
    ] as const)
      (await robot.ask(action, { job: 2 })).code.should.equal(interfaceCodes.JOB_DOES_NOT_EXIST)
    ;(await robot.ask('TRIGGER_JOB_ASYNC', { job: 1 })).code.should.equal(0)
    cycles.length.should.equal(1)
  })

  it('does not hand over kept poses of a picture that has become too old', async () => {
    await open()
    const robot = await connect()
    await robot.ask('TRIGGER_JOB_ASYNC')
    link.answer((await asked()).token, { code: 0, poses: two, age: 0 })
    clock = 60_000
    ;(await robot.ask('GET_NEXT_POSE')).code.should.equal(0)
    clock = 60_001
    ;(await robot.ask('GET_NEXT_POSE')).should.match({
      code: API_RESPONSE_ERROR,
      moduleCode: codes.TOO_OLD,
      pose: undefined,
    })
    ;(await robot.ask('GET_NEXT_POSE')).code.should.equal(NO_POSES_FOUND)
  })

  it('passes on the steps of a calibration', async () => {
    await open()
    const robot = await connect()
    const step = async (
      action: 'HEC_INIT' | 'HEC_SET_POSE' | 'HEC_CALIBRATE',
      result: { code: number; returnCode?: number; poses?: typeof two },
    ) => {
      const answer = robot.ask(action, { data: [1, 8], pose: at(400, 0, 300) })
      const cycle = await asked(cycles.length + 1)
      cycle.should.match({ command: action, pipeline: 1 })
      should(cycle.job).be.undefined()
      should(cycle.slot).equal(action === 'HEC_SET_POSE' ? 8 : undefined)
      link.answer(cycle.token, result)
      return answer
    }
    ;(await step('HEC_INIT', { code: 0 })).should.match({ code: 0 })
    ;(await step('HEC_INIT', { code: 299 })).should.match({ code: interfaceCodes.HEC_INIT_ERROR })
    ;(await step('HEC_SET_POSE', { code: 0 })).should.match({ code: 0 })
    ;(await step('HEC_SET_POSE', { code: 299, returnCode: 4 })).should.match({
      code: interfaceCodes.HEC_INSUFFICIENT_DETECTION,
      moduleCode: 4,
    })
    ;(await step('HEC_SET_POSE', { code: -1, returnCode: -1 })).code.should.equal(
      interfaceCodes.HEC_SET_POSE_ERROR,
    )
    ;(await step('HEC_SET_POSE', { code: 201 })).code.should.equal(interfaceCodes.API_NOT_REACHABLE)
    ;(await step('HEC_CALIBRATE', { code: 299 })).code.should.equal(interfaceCodes.HEC_CALIBRATE_ERROR)
    ;(await step('HEC_CALIBRATE', { code: interfaceCodes.HEC_CONFIG_ERROR })).code.should.equal(
      interfaceCodes.HEC_CONFIG_ERROR,
    )
    isAt(await step('HEC_CALIBRATE', { code: 0, poses: [{ pose: at(600, 0, 1300) }] }), at(600, 0, 1300))
    const count = cycles.length
    for (const asking of [
      { data: [0, 16], pose: at(1, 0, 0) },
      { data: [0, -1], pose: at(1, 0, 0) },
      { data: [0, 1] },
    ])
      (await robot.ask('HEC_SET_POSE', asking)).code.should.equal(interfaceCodes.HEC_SET_POSE_ERROR)
    cycles.length.should.equal(count)
  })

  it('ends what nobody answers within the deadline, and then takes the next trigger', async () => {
    await open({ deadline: 60 })
    const robot = await connect()
    const answer = robot.ask('TRIGGER_JOB_SYNC')
    const { token } = await asked()
    clock = 60
    should(await answer).have.properties({ code: interfaceCodes.PROCESSING_TIMEOUT, moduleCode: 208 })
    over.should.eql([token])
    ;(await robot.ask('GET_JOB_STATUS')).should.match({ code: 0, data2: jobStates.FAILED })
    clock = 95
    link.answer(token, { code: 0, poses: two }).should.eql({ dropped: 'late' })
    should(told.at(-1)).eql({ what: 'late', milliseconds: 95 })
    ;(await robot.ask('TRIGGER_JOB_ASYNC')).code.should.equal(0)
  })

  it('answers within 70 s, however long the deadline is', async () => {
    await open({ deadline: 3_600_000 })
    const [robot, other] = [await connect(), await connect()]
    const answer = robot.ask('TRIGGER_JOB_SYNC')
    const { token } = await asked()
    clock = 69_999
    ;(await other.ask('GET_JOB_STATUS')).data2.should.equal(jobStates.RUNNING)
    over.should.eql([])
    clock = 70_000
    // What happens next sees that its time is over.
    await other.ask('STATUS')
    should(await answer).have.properties({ code: interfaceCodes.PROCESSING_TIMEOUT, moduleCode: 208 })
    over.should.eql([token])
    ;(await other.ask('GET_JOB_STATUS')).data2.should.equal(jobStates.FAILED)
    ;(await other.ask('TRIGGER_JOB_ASYNC')).code.should.equal(0)
  })

  it('keeps the result of a robot that disconnects in the middle, and ends its calibration step', async () => {
    await open()
    const [lost, other] = [await connect(), await connect()]
    lost.send(requestOf('TRIGGER_JOB_SYNC'))
    const { token } = await asked()
    lost.close()
    await eventually(() => link.counts.left.should.equal(1))
    told.map(({ what }) => what).should.containEql('left-job')
    ;(await other.ask('GET_JOB_STATUS')).data2.should.equal(jobStates.RUNNING)
    link.answer(token, { code: 0, poses: two }).should.match({ reply: { code: 0, isKept: true } })
    ;(await other.ask('GET_NEXT_POSE')).should.match({ code: 0, data2: 1 })
    const half = await connect()
    half.send(requestOf('HEC_INIT'))
    const step = await asked(2)
    half.close()
    await eventually(() => over.should.eql([step.token]))
    link.answer(step.token, { code: 0 }).should.eql({ dropped: 'late' })
  })

  it('answers wrong headers with their codes, and tells a panel', async () => {
    await open()
    const robot = await connect()
    const wrong = (offset: number, value: number) => {
      const bytes = requestOf('STATUS')
      bytes[offset] = value
      robot.send(bytes)
      return robot.answer()
    }
    ;(await wrong(4, 2)).code.should.equal(interfaceCodes.UNKNOWN_PROTOCOL_VERSION)
    ;(await wrong(6, 52)).code.should.equal(interfaceCodes.INVALID_REQUEST_ERROR)
    ;(await wrong(7, 10)).should.match({ code: interfaceCodes.INVALID_ACTION, action: 10 })
    ;(await wrong(0, 0x48)).code.should.equal(interfaceCodes.INVALID_REQUEST_ERROR)
    await robot.closed
    told.filter(({ what }) => what === 'not-understood').should.have.length(4)
    link.counts.failed.should.equal(4)
  })

  it('survives whatever bytes arrive', async function () {
    this.timeout(process.env.CELLSIGHT_LONG ? 1_200_000 : 120_000)
    await open({ connections: 64 })
    isAnswering = true
    const random = seededRandom(7100)
    const below = (limit: number) => Math.floor(random() * limit)
    const frames = process.env.CELLSIGHT_LONG ? 100_000 : 3000
    let robot = await connect()
    for (let frame = 0; frame < frames; frame++) {
      const bytes = requestOf('GET_JOB_STATUS', { job: below(2) })
      for (let hits = 1 + below(6); hits > 0; hits--) bytes[below(below(2) ? 12 : 54)] = below(256)
      robot.send(bytes)
      // Without a valid beginning or length, what follows is out of step.
      if (bytes.readUInt32LE(0) !== 4807239 || bytes[5] !== 54) {
        robot.close()
        robot = await connect()
        continue
      }
      const { code } = await robot.answer()
      should(code >= -18 && code <= 4).equal(true)
    }
    ;(await (await connect()).ask('STATUS')).should.match({ code: 0, data2: 1 })
  })

  it('counts, and tells which robot asked what last', async () => {
    await open()
    const robot = await connect()
    await robot.ask('STATUS')
    const answer = robot.ask('TRIGGER_JOB_SYNC', { job: 4 })
    const { token } = await asked()
    should(link.robots[0]?.last?.code).be.undefined()
    clock = 43
    link.answer(token, { code: 0, poses: two })
    // The robot's answer is written first.
    replies.should.eql([])
    await answer
    link.robots.should.match([
      { address: '127.0.0.1', last: { command: 'TRIGGER_JOB_SYNC', code: 0, milliseconds: 43 } },
    ])
    link.counts.should.match({ requests: 2, done: 2, failed: 0 })
    await eventually(() => replies.should.match([{ command: 'TRIGGER_JOB_SYNC', code: 0, count: 2 }]))
  })
})
