import should from 'should'
import {
  answerBytes,
  interfaceCodeName,
  interfaceCodes,
  OutOfRange,
  readAnswer,
  readRequest,
  requestBytes,
  robotActionOf,
  robotActions,
  writeAnswer,
  writeRequest,
  type ReceivedAnswer,
  type RobotRequest,
} from '../../lib/robot-interface'

const zeros = (count: number) => '00'.repeat(count)
const bytes = (text: string) => Buffer.from(text.replace(/[ |]/g, ''), 'hex')
const noRotation = { w: 1, x: 0, y: 0, z: 0 }
const quarter = { w: 0.7071067811865476, x: 0, y: 0, z: 0.7071067811865476 }
const close = (one: number, other: number) => Math.abs(one - other).should.be.below(1e-6)

/** Recorded from a public client for a PC. */
const requests: Record<string, [hex: string, request: Parameters<typeof writeRequest>[0]]> = {
  STATUS: [
    `47524900 01 36 02 01 | 0000 | 00000000 00000000 00000000 | 00000000 00000000 00000000 40420f00 | ${zeros(16)}`,
    { action: 'STATUS', poseFormat: 2, pose: { position: { x: 0, y: 0, z: 0 }, orientation: noRotation } },
  ],
  TRIGGER_JOB_SYNC: [
    `47524900 01 36 02 02 | 0000 | 0065cd1d 00e1f505 0084d717 | 00000000 00000000 00000000 40420f00 | ${zeros(16)}`,
    {
      action: 'TRIGGER_JOB_SYNC',
      poseFormat: 2,
      pose: { position: { x: 0.5, y: 0.1, z: 0.4 }, orientation: noRotation },
    },
  ],
  TRIGGER_JOB_ASYNC: [
    `47524900 01 36 02 03 | 0100 | 8055c820 80d1f008 801a7018 | 00000000 23ca0a00 00000000 23ca0a00 | ${zeros(16)}`,
    {
      action: 'TRIGGER_JOB_ASYNC',
      poseFormat: 2,
      jobId: 1,
      pose: {
        position: { x: 0.55, y: 0.15, z: 0.41 },
        orientation: { w: quarter.w, x: 0, y: quarter.z, z: 0 },
      },
    },
  ],
  HEC_SET_POSE: [
    '47524900 01 36 02 08 | 0000 | 80d1f008 80f0fa02 80397a12 | a9860100 00000000 00000000 ab2e0f00 | 00000000 02000000 00000000 00000000',
    {
      action: 'HEC_SET_POSE',
      poseFormat: 2,
      pose: {
        position: { x: 0.15, y: 0.05, z: 0.31 },
        orientation: { w: 0.9949 / Math.hypot(0.1, 0.9949), x: 0.1 / Math.hypot(0.1, 0.9949), y: 0, z: 0 },
      },
      data: [0, 2],
    },
  ],
}

describe('a request of the robot interface', () => {
  for (const [name, [hex, request]] of Object.entries(requests)) {
    it(`${name} has the bytes that a public client sends`, () => {
      writeRequest(request).toString('hex').should.equal(bytes(hex).toString('hex'))
    })

    it(`${name} is read from these bytes`, () => {
      const read = readRequest(bytes(hex)) as RobotRequest
      read.should.have.properties({ action: request.action, poseFormat: 2, jobId: request.jobId ?? 0 })
      const { position, orientation } = request.pose as NonNullable<typeof request.pose>
      for (const axis of ['x', 'y', 'z'] as const) close(read.pose?.position[axis] ?? NaN, position[axis])
      for (const part of ['w', 'x', 'y', 'z'] as const)
        close(read.pose?.orientation[part] ?? NaN, orientation[part])
      should(read.data).eql([0, request.data?.[1] ?? 0, 0, 0])
    })
  }

  it('has job numbers of 16 bits and numbers of 32 bits with a sign', () => {
    const written = writeRequest({
      action: 'GET_NEXT_POSE',
      poseFormat: 24,
      jobId: 65535,
      data: [-1, 2147483647, -2147483648],
    })
    const read = readRequest(written) as RobotRequest
    should(read).have.properties({ jobId: 65535, data: [-1, 2147483647, -2147483648, 0] })
  })

  it('is refused before it is sent if a number does not fit', () => {
    const at = (x: number) =>
      writeRequest({
        action: 'STATUS',
        poseFormat: 1,
        pose: { position: { x, y: 0, z: 0 }, orientation: noRotation },
      })
    at(2.147483647).length.should.equal(requestBytes)
    should(() => at(2.147484)).throw(OutOfRange, {
      message: 'x is 2147.484: the robot interface carries at most ±2147.483647',
    })
    should(() => at(NaN)).throw(OutOfRange)
    for (const jobId of [65536, -1, 0.5])
      should(() => writeRequest({ action: 'STATUS', poseFormat: 1, jobId })).throw(OutOfRange)
    should(() => writeRequest({ action: 'STATUS', poseFormat: 52 })).throw(RangeError)
  })
})

const answers: [
  hex: string,
  echo: Parameters<typeof writeAnswer>[0],
  answer: Parameters<typeof writeAnswer>[1],
][] = [
  [
    `47524900 01 50 02 01 | 0000 0000 | ${zeros(28)} | 00000000 01000000 ${zeros(32)}`,
    { poseFormat: 2, action: 1, jobId: 0 },
    { data2: 1 },
  ],
  [
    '47524900 01 50 02 02 | 0000 0000 | 80098d25 e04341ff 40c1fc10 | 00000000 00000000 23ca0a00 23ca0a00 |' +
      `00000000 01000000 01000000 ${zeros(28)}`,
    { poseFormat: 2, action: 2, jobId: 0 },
    {
      pose: { position: { x: 0.63, y: -0.0125, z: 0.285 }, orientation: quarter },
      data2: 1,
      data3: 1,
    },
  ],
  [
    `47524900 01 50 02 04 | 0100 0000 | ${zeros(28)} | 00000000 03000000 ${zeros(32)}`,
    { poseFormat: 2, action: 4, jobId: 1 },
    { data2: 3 },
  ],
  [
    `47524900 01 50 02 06 | 0100 0200 | ${zeros(68)}`,
    { poseFormat: 2, action: 6, jobId: 1 },
    { code: interfaceCodes.NO_RELATED_POSES },
  ],
  [
    `47524900 01 50 02 02 | 0700 f4ff | ${zeros(68)}`,
    { poseFormat: 2, action: 2, jobId: 7 },
    { code: interfaceCodes.JOB_DOES_NOT_EXIST },
  ],
]

describe('an answer of the robot interface', () => {
  it('has the bytes that a public client reads', () => {
    for (const [hex, echo, answer] of answers) {
      const written = writeAnswer(echo, answer)
      written.toString('hex').should.equal(bytes(hex).toString('hex'))
      should(readAnswer(written))
        .have.properties(echo)
        .and.have.property('code', answer.code ?? 0)
    }
  })

  it('carries the additional values in data_4 to data_10', () => {
    const echo = { poseFormat: 24, action: 5, jobId: 3 }
    const written = writeAnswer(echo, { moduleCode: -4, extra: [1, -2, 3, -4, 5, -6, 7] })
    written.readInt32LE(40).should.equal(-4)
    written.readInt32LE(52).should.equal(1)
    written.readInt32LE(76).should.equal(7)
    should(readAnswer(written)).containEql({ extra: [1, -2, 3, -4, 5, -6, 7] })
  })

  it('becomes an internal error without a pose if a number does not fit, never a wrapped one', () => {
    const echo = { poseFormat: 2, action: 2, jobId: 9 }
    const pose = (x: number) => ({ position: { x, y: 0, z: 0 }, orientation: noRotation })
    for (const answer of [
      { pose: pose(2.1474837) },
      { pose: pose(-2.1474837) },
      { pose: pose(Infinity) },
      { pose: pose(1), extra: [2 ** 31] },
    ]) {
      const read = readAnswer(writeAnswer(echo, { ...answer, moduleCode: 5, data2: 4, data3: 3 }))
      should(read).have.properties({
        ...{ ...echo, code: interfaceCodes.INTERNAL_ERROR, pose: undefined },
        ...{ moduleCode: 5, data2: 4, data3: 3, extra: [0, 0, 0, 0, 0, 0, 0] },
      })
    }
    const fits = readAnswer(writeAnswer(echo, { pose: pose(-2.147483648) })) as ReceivedAnswer
    should(fits.pose?.position.x).equal(-2.147483648)
  })

  it('with a damaged header is none', () => {
    const good = writeAnswer({ poseFormat: 2, action: 1, jobId: 0 }, {})
    const damaged = (offset: number) => {
      const copy = Buffer.from(good)
      copy[offset] = 7
      return readAnswer(copy)
    }
    should(damaged(0)).equal('The answer is not from a robot interface.')
    should(damaged(4)).equal('The answer has protocol version 7.')
    should(damaged(5)).equal('The answer says that it has 7 bytes.')
    should(readAnswer(good.subarray(1))).equal(`The answer has 79 bytes instead of ${answerBytes}.`)
  })
})

describe('the numbers of the robot interface', () => {
  it('have one name each', () => {
    for (const [name, code] of Object.entries(interfaceCodes)) should(interfaceCodeName(code)).equal(name)
    Object.keys(interfaceCodes).length.should.equal(23)
    should(interfaceCodeName(-19)).equal(undefined)
    for (const [name, action] of Object.entries(robotActions)) should(robotActionOf(action)).equal(name)
    should([0, 10, 255].map(robotActionOf)).eql([undefined, undefined, undefined])
  })
})
