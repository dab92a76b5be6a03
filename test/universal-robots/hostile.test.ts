import { type RobotError } from '../../lib/robot-motion'
import should from 'should'
import { readValues, recipeOf, rtdePackage, RtdeReader, writeValues } from '../../lib/universal-robots/rtde'
import { PrimaryReader } from '../../lib/universal-robots/primary'
import { Robot } from '../../lib/robot-motion'
import type { Pose } from '../../lib/robotics'
import { universalRobot } from '../../lib/universal-robots/universal-robot'
import { eventually } from '../support/eventually'
import { openSocket } from '../../lib/universal-robots/connections'
import { slowName } from '../support/slow-addresses'
import { Controller } from './controller'

/** Seeded, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex')

describe('RTDE', () => {
  it('reads the recorded session of a public client', () => {
    const types = 'DOUBLE,VECTOR6D,VECTOR6D,INT32,UINT32,UINT32'.split(',')
    const names = [
      'timestamp',
      'actual_TCP_pose',
      'tcp_offset',
      'robot_mode',
      'safety_status_bits',
      'runtime_state',
    ]
    const recipe = recipeOf(
      1,
      names.map((name, index) => ({ name, type: types[index] ?? '' })),
    )
    const zeros = (count: number) => '0000000000000000'.repeat(count)
    const bytes = hex(
      `0078 55 01 4059409b1a47d500 3fd999999999999a bfc999999999999a 3fd3333333333333 ${zeros(1)} 400921fb54442d18 ${zeros(1)}
       ${zeros(2)} 3fc3333333333333 ${zeros(3)} 00000007 00000001 00000001`,
    )
    const [data] = new RtdeReader().push(bytes)
    const values = readValues(recipe, data?.payload ?? Buffer.alloc(0))
    should(values).containEql({
      actual_TCP_pose: [0.4, -0.2, 0.3, 0, Math.PI, 0],
      tcp_offset: [0, 0, 0.15, 0, 0, 0],
      robot_mode: 7,
      runtime_state: 1,
    })
    Number(values['timestamp']).should.be.approximately(101.009, 0.001)
  })

  it('writes what was recorded', () => {
    rtdePackage(86, hex('0002')).should.deepEqual(hex('0005 56 0002'))
    const slider = recipeOf(1, [
      { name: 'speed_slider_mask', type: 'UINT32' },
      { name: 'speed_slider_fraction', type: 'DOUBLE' },
    ])
    rtdePackage(
      85,
      writeValues(slider, { speed_slider_mask: 1, speed_slider_fraction: 0.25 }),
    ).should.deepEqual(hex('0010 55 01 00000001 3fd0000000000000'))
  })

  it('is read alike in whatever pieces it comes', () => {
    const whole = Buffer.concat([
      rtdePackage(86, hex('01')),
      rtdePackage(85, Buffer.alloc(300, 7)),
      rtdePackage(83),
    ])
    for (let size = 1; size < whole.length; size += 13) {
      const reader = new RtdeReader()
      const packages = []
      for (let at = 0; at < whole.length; at += size)
        packages.push(...reader.push(whole.subarray(at, at + size)))
      packages
        .map(({ type, payload }) => [type, payload.length])
        .should.deepEqual([
          [86, 1],
          [85, 300],
          [83, 0],
        ])
    }
  })

  it('leaves out a number that is none, and takes no other length and no other recipe', () => {
    const recipe = recipeOf(1, [{ name: 'timestamp', type: 'DOUBLE' }])
    for (const bytes of ['01 7ff8000000000000', '01 7ff0000000000000'])
      readValues(recipe, hex(bytes)).should.deepEqual({})
    for (const bytes of ['02 3fd0000000000000', '01 3fd0', '', '01'])
      (() => readValues(recipe, hex(bytes))).should.throw(RangeError)
    ;(() => recipeOf(1, [{ name: 'x', type: 'constructor' }])).should.throw(RangeError)
  })
})

describe('random bytes', () => {
  it('never throw anything but a RangeError out of a reader', () => {
    const random = seeded(17)
    for (let run = 0; run < 3000; run++) {
      const bytes = Buffer.from(
        Array.from({ length: 3 + Math.floor(random() * 400) }, () => Math.floor(random() * 256)),
      )
      // Sizes that are plausible lead deeper.
      if (random() < 0.7) {
        bytes.writeUInt16BE(Math.min(bytes.length, 3 + Math.floor(random() * 200)), 0)
      }
      const message = Buffer.concat([Buffer.alloc(4), Buffer.from([20]), bytes])
      message.writeInt32BE(message.length, 0)
      if (message.length > 14) message[14] = [0, 3, 5, 6, 7, 10][run % 6] ?? 0
      for (const read of [
        () => new RtdeReader().push(bytes),
        () => new PrimaryReader().push(bytes),
        () => new PrimaryReader().push(message),
      ])
        try {
          read()
        } catch (error) {
          should(error).be.instanceof(RangeError)
        }
    }
  })

  const attacks: Record<string, (controller: Controller) => void> = {
    'a package without length': (controller) => controller.inject(hex('0000')),
    'another recipe': (controller) => controller.inject(rtdePackage(85, Buffer.alloc(220, 9))),
    'a short package': (controller) => controller.inject(rtdePackage(85, hex('01'))),
    'a web page': (controller) =>
      controller.inject(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n<html></html>')),
  }
  for (const [name, attack] of Object.entries(attacks))
    it(`end the session and begin another: ${name}`, async () => {
      const controller = await new Controller().start()
      const errors: RobotError[] = []
      const { rtde: rtdePort } = controller.ports
      const robot = new Robot(
        universalRobot({ host: '127.0.0.1', rtdePort }),
        { mayMove: false, limits: { speed: 0.1, acceleration: 0.2, step: 0.1, turn: 10 } },
        { onLink: (link) => link.is === 'down' && errors.push(link.error) },
      )
      try {
        await robot.read()
        attack(controller)
        await eventually(() => should(errors[0]?.code).equal('BAD_REPLY'))
        await eventually(async () => (await robot.read()).mode.should.equal('running'))
      } finally {
        await robot.close()
        await controller.stop()
      }
    })

  const answers: Record<string, [type: number, bytes: Buffer]> = {
    'no RTDE at all': [86, Buffer.from('220 mail server ready\r\n')],
    'version 2 refused': [86, rtdePackage(86, hex('00'))],
    'a short version': [118, rtdePackage(118, hex('00'))],
    'fewer types than names': [79, rtdePackage(79, Buffer.from('\u0001DOUBLE'))],
    'unknown types': [79, rtdePackage(79, Buffer.from(`\u0001${Array(11).fill('MATRIX').join(',')}`))],
    'a start refused': [83, rtdePackage(83, hex('00'))],
  }
  for (const [name, [type, bytes]] of Object.entries(answers))
    it(`are told in a sentence: ${name}`, async () => {
      const controller = await new Controller().start()
      controller.instead = (asked) => (asked === type ? bytes : undefined)
      const { rtde: rtdePort } = controller.ports
      const robot = new Robot(universalRobot({ host: '127.0.0.1', rtdePort }), {
        ...{ mayMove: false, limits: { speed: 0.1, acceleration: 0.2, step: 0.1, turn: 10 } },
      })
      try {
        await eventually(() => robot.link.is.should.equal('down'))
        const error = robot.link.is === 'down' ? robot.link.error : undefined
        should(error?.code).match(/BAD_REPLY|TIMEOUT/)
        should(error?.message).match(/\. .*\.$/)
        await robot.read().should.be.rejectedWith({ code: /BAD_REPLY|TIMEOUT/ })
      } finally {
        await robot.close()
        await controller.stop()
      }
    })

  it('are no reason to end a session where a number is none for a moment, and named where it stays so', async () => {
    const controller = await new Controller().start()
    const links: string[] = []
    const { rtde: rtdePort } = controller.ports
    const poses: Pose[] = []
    const robot = new Robot(
      universalRobot({ host: '127.0.0.1', rtdePort }),
      { mayMove: false, limits: { speed: 0.1, acceleration: 0.2, step: 0.1, turn: 10 } },
      {
        onState: ({ flange, payload }) => {
          poses.push(flange)
          should(payload?.mass).equal(1.5)
        },
        onLink: (link) => links.push(link.is === 'down' ? link.error.message : link.is),
      },
    )
    try {
      await robot.read()
      const [x = 0] = controller.pose
      for (const spoilt of [() => (controller.pose[0] = Number.NaN), () => (controller.payload = Infinity)]) {
        const time = controller.time
        spoilt()
        await eventually(() => controller.time.should.be.above(time + 0.1))
        Object.assign(controller, { payload: 1.5 }).pose[0] = x
        await robot.read()
      }
      poses.should.matchEach(({ position }: Pose) => Number.isFinite(position.x).should.be.true())
      links.should.deepEqual(['up'])
      controller.pose[0] = Number.NaN
      await eventually(() => should(links[1]).match(/number for actual_TCP_pose/))
    } finally {
      await robot.close()
      await controller.stop()
    }
  })

  it('say what a controller lacks', async () => {
    const controller = await new Controller().start()
    controller.options.missing = ['tcp_offset']
    const { rtde: rtdePort } = controller.ports
    const robot = new Robot(universalRobot({ host: '127.0.0.1', rtdePort }), {
      ...{ mayMove: false, limits: { speed: 0.1, acceleration: 0.2, step: 0.1, turn: 10 } },
    })
    try {
      await eventually(() =>
        robot.read().should.be.rejectedWith({ code: 'BAD_REPLY', message: /tcp_offset/ }),
      )
    } finally {
      await robot.close()
      await controller.stop()
    }
  })
})

describe('a robot behind a host name with several addresses and a slow link', () => {
  const slow = slowName()

  it('is reached on each of its interfaces within their deadline', async () => {
    const controller = await new Controller().start()
    try {
      const { rtde } = controller.ports
      await slow.lead(rtde)
      const socket = await openSocket({ host: slow.name, port: rtde }, new AbortController().signal)
      socket.destroy()
    } finally {
      await controller.stop()
    }
  })
})
