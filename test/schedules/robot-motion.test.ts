import { explore } from './explorer'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import type { NodeMessage } from 'node-red'
import { distance, numbersOfPose, type Pose } from '../../lib/robotics'
import { startVirtualDevice, type VirtualDeviceOptions } from '../../virtual-device'
import { onTab, useBench, type Caught } from '../support/bench'
import { eventually } from '../support/eventually'
import { startSlowLine } from '../support/proxies/slow-line'

/** Milliseconds one way to the controller. */
const delay = 4
/** Milliseconds after which everything that was on its way has arrived. */
const settled = 250

interface Truth {
  motions: number
  moves: boolean
  program: string | null
  flange: Pose
}

/** A virtual arm behind slow lines, which begins at the same place in each run. */
async function startArm(configuration: Record<string, unknown>, more: VirtualDeviceOptions = {}) {
  const device = await startVirtualDevice({ port: 0, arm: 'ur5e', armPort: 0, ...more })
  const truth = async () => (await (await fetch(`${device.url}/virtual/arm`)).json()) as Truth
  const { rtde = 0, primary = 0, dashboard = 0 } = device.ports['arm']?.parts ?? {}
  const lines = await Promise.all([rtde, primary, dashboard].map((port) => startSlowLine(port, delay)))
  const [rtdePort, primaryPort, dashboardPort] = lines.map(({ port }) => port)
  Object.assign(configuration, {
    ...{ name: 'Robot 1', kind: 'universal-robots', host: '127.0.0.1', mayMove: true },
    ...{ rtdePort, primaryPort, dashboardPort, poseFormat: 'universal-robots-pendant' },
    ...{ speed: 250, acceleration: 2000, step: 300, turn: 40, home: '', box: '' },
  })
  const stands = () =>
    eventually(async () => {
      const now = await truth()
      should(now).have.properties({ moves: false, program: null })
      return now
    })
  return {
    device,
    truth,
    stands,
    /** @param reported the truth when the end was reported; after that, nothing may move */
    mustStand: async (reported?: Truth): Promise<Truth> => {
      const before = reported ?? (await stands())
      await new Promise((resolve) => setTimeout(resolve, settled))
      const after = await stands()
      should(after.motions).equal(before.motions)
      distance(before.flange.position, after.flange.position).should.be.below(1e-6)
      return after
    },
    /** What may happen to any robot. */
    events: {
      'a protective stop': () => device.setScenario({ arm: { protective_stop: 'now' } }),
      'an emergency stop': () => device.setScenario({ arm: { emergency_stop: true } }),
      'a lost connection': () => lines.forEach((line) => line.reset()),
    },
    close: async () => {
      await Promise.all(lines.map((line) => line.stop()))
      await device.stop()
    },
  }
}

describe('a robot that moves for two messages, whatever happens at whichever await', () => {
  const configuration: Record<string, unknown> = { id: 'arm', type: 'vision-robot-config' }
  const bench = useBench(
    { type: 'vision-robot', robot: 'arm', action: 'move', outputs: 2, confirm: 'none', shape: 'array' },
    {
      flow: [
        configuration,
        { ...onTab, id: 'stop', type: 'vision-robot', robot: 'arm', action: 'stop', wires: [['out2']] },
      ],
    },
  )

  const prepare = async () => {
    const arm = await startArm(configuration)
    const { truth } = arm
    await bench.deploy()
    await bench.status('ready')
    const { flange: at } = await truth()
    const raised = (up: number) =>
      numbersOfPose('universal-robots-pendant', {
        ...at,
        position: { ...at.position, z: at.position.z + up },
      })
    const requests: unknown[] = []
    const ends: string[] = []
    let isOver = false
    let closed = (): void => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const note = ({ _msgid, error }: NodeMessage & { error?: Caught }) => {
      if (['one', 'two'].includes(_msgid ?? '')) ends.push(`${_msgid} ${error?.code ?? 'done'}`)
    }
    bench.helperNode('out0').on('input', note)
    bench.helperNode('caught').on('input', note)
    bench.helperNode('out1').on('input', ({ payload }) => {
      const { request } = payload as { request?: string }
      if (request === undefined) return
      requests.push(request)
      confirm(request)
    })
    /** A person reads, and answers. */
    const confirm = (request: string, left = 20) => {
      if (ends.length > 0 || left === 0 || isOver) return
      bench.node.receive({ _msgid: 'answer', topic: 'confirm', request })
      setTimeout(() => confirm(request, left - 1), 100)
    }
    const happens: Record<string, () => unknown> = {
      'a stop': () => said('out1', 'stopped', () => bench.node.receive({ topic: 'stop' })),
      'a stop of another node': () => said('out2', undefined, () => bench.helperNode('stop').receive({})),
      ...arm.events,
      'a close': () => {
        isOver = true
        return bench.deployWithout('nodes').then(closed)
      },
      'a deploy': () => {
        isOver = true
        return bench.deploy().then(closed)
      },
      'a confirmation of all that was ever asked': () => {
        for (const request of [...requests, 'unknown', undefined])
          bench.node.receive({
            _msgid: 'answer',
            topic: 'confirm',
            ...(request !== undefined && { request }),
          })
      },
    }
    /** Resolves with the truth at the moment in which a stop is reported. */
    function said(output: string, event: string | undefined, send: () => void): Promise<Truth> {
      return new Promise((resolve, reject) => {
        const node = bench.helperNode(output)
        node.on('input', ({ payload }) => {
          if ((payload as { event?: string }).event !== event) return
          truth().then(resolve, reject)
        })
        send()
      })
    }
    let reported: Truth | undefined
    const events = Object.fromEntries(
      Object.entries(happens).map(([name, happen]) => [
        name,
        async () => {
          const told = (await happen()) as Truth | undefined
          if (told && 'motions' in told) reported = told
        },
      ]),
    )
    return {
      start: async () => {
        bench.node.receive({ _msgid: 'one', payload: [raised(0.004), raised(0)] })
        bench.node.receive({ _msgid: 'two', payload: raised(0.003) })
        await Promise.race([isClosed, eventually(() => should(ends.length).be.aboveOrEqual(2))])
      },
      events,
      last: ['a close', 'a deploy'],
      verify: async (happened: ReadonlySet<string>) => {
        const after = await arm.mustStand(reported)
        if (happened.has('a close') || happened.has('a deploy')) return
        ends
          .map((end) => end.slice(0, 3))
          .sort()
          .should.deepEqual(['one', 'two'])
        if ([...happened].every((event) => event === 'a confirmation of all that was ever asked')) {
          ends.should.deepEqual(['one done', 'two done'])
          should(after.motions).equal(3)
        }
      },
      close: async () => {
        isOver = true
        await arm.close()
      },
    }
  }

  it('moves no more after a stop is reported, ends each message once, and moves nothing twice', async function () {
    this.timeout(1_800_000)
    const { failures, reached, runs } = await explore({
      within: ['lib/robot-motion', 'lib/universal-robots', 'nodes/robot', 'nodes/shared/handle-input'],
      prepare,
    })
    failures.should.deepEqual([])
    should(reached).be.aboveOrEqual(0.8 * runs)
  })
})

describe('a hand-eye calibration that drives the robot, whatever happens at whichever await', () => {
  const configuration: Record<string, unknown> = { id: 'arm', type: 'vision-robot-config' }
  const config: Record<string, unknown> = {}
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-schedules-'))
  after(() => rmSync(folder, { recursive: true }))
  const bench = useBench(
    {
      ...{ type: 'vision-hand-eye-calibration', drive: 'robot', robot: 'arm', sightings: 'answers' },
      ...{ gridWidth: 260, gridHeight: 180, settling: 0, deadline: 30, confirm: 'each' },
    },
    { flow: [configuration], config, settings: () => ({ userDir: mkdtempSync(join(folder, 'user-')) }) },
  )

  const prepare = async () => {
    const arm = await startArm(configuration)
    config['address'] = arm.device.url
    await bench.deploy()
    await bench.state('ready')
    const { motions: before } = await arm.truth()
    const requests: unknown[] = []
    let isOver = false
    let reported: Truth | undefined
    let ended = (): void => undefined
    const end = new Promise<void>((resolve) => (ended = resolve))
    const say = (topic: string, request?: unknown) =>
      bench.node.receive({ topic, payload: '', ...(request !== undefined && { request }) })
    /** A person reads, and answers, until it is enough. */
    const confirm = (request: unknown, left = 20) => {
      if (isOver || left === 0) return
      say('confirm', request)
      setTimeout(() => confirm(request, left - 1), 100)
    }
    const over = () => {
      isOver = true
      ended()
    }
    for (const output of ['out0', 'out1'])
      bench.helperNode(output).on('input', ({ payload }) => {
        const { event, request } = payload as { event?: string; request?: unknown }
        if (event === 'driving-ended' || event === 'interrupted') over()
        if (event === 'looked' && !isOver)
          void arm.truth().then(({ motions }) => {
            if (motions >= before + 3 && !isOver) say('stop')
          })
        if (request === undefined) return
        requests.push(request)
        confirm(request)
      })
    bench.helperNode('caught').on('input', ({ error }: NodeMessage & { error?: Caught }) => {
      if (error && !['INVALID_INPUT', 'REFUSED'].includes(String(error.code))) over()
    })
    return {
      start: async () => {
        say('start')
        await end
      },
      events: {
        ...arm.events,
        'a stop': async () => {
          say('stop')
          await end
          reported = await arm.truth()
        },
        'a close': async () => {
          isOver = true
          await bench.deployWithout('nodes')
          ended()
        },
        'a deploy': async () => {
          isOver = true
          await bench.deploy()
          ended()
        },
        'a confirmation of all that was ever asked': () => {
          for (const request of [...requests, 'unknown', undefined]) say('confirm', request)
        },
      },
      last: ['a close', 'a deploy'],
      verify: async (happened: ReadonlySet<string>) => {
        const { motions } = await arm.mustStand(reported)
        if (happened.size === 0) should(motions).be.aboveOrEqual(before + 3)
      },
      close: async () => {
        isOver = true
        await arm.close()
      },
    }
  }

  it('moves no more after its end is reported', async function () {
    this.timeout(1_800_000)
    const { failures, reached, runs } = await explore({
      ...{
        within: ['lib/calibration', 'lib/robot-motion', 'nodes/hand-eye-calibration', 'nodes/robot-motion'],
      },
      ...{ prepare, most: 14, pairs: 4 },
    })
    failures.should.deepEqual([])
    should(reached).be.aboveOrEqual(runs / 2)
  })
})
