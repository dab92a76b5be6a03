import should from 'should'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { sharedNodeRed } from '../support/shared-node-red'
import type { NodeRed } from '../support/node-red'
import { Robot } from './robot'

const onTab = { z: 'tab', x: 100, y: 100 }
const grasp = (x: number, quality: number) => ({
  quality,
  pose: { position: { x, y: 0, z: 0.3 }, orientation: { x: 1, y: 0, z: 0, w: 0 } },
})

/** What the cell does with each command. */
const cell = `
const { command } = msg.payload
const grasps = ${JSON.stringify([grasp(0.4, 0.9), grasp(0.9, 0.8), grasp(0.5, 0.7)])}
if (command === 'PICK') return { ...msg, payload: { grasps } }
if (command === 'NONE') return { ...msg, payload: { grasps: [], return_code: { value: 101, message: '' } } }
if (command === 'REFUSED') return { ...msg, payload: { return_code: { value: -4, message: 'no' } } }
if (command === 'OWN') return { ...msg, code: 42 }
if (command === 'OLD') return { ...msg, payload: { grasps }, taken: Date.now() - 3600_000 }
if (command === 'MOVED') {
  const robot = { ...msg.robot, pose: ${JSON.stringify(grasp(0.1, 0).pose)} }
  return { ...msg, payload: { grasps }, robot }
}
if (command === 'BAD') return { ...msg, payload: { grasps: ['nothing'] } }
if (command === 'BROKEN') throw new Error('the gripper is broken')
if (command === 'TWICE') return [[{ ...msg, payload: { grasps } }, { ...msg, code: 7 }]]
if (command === 'FOREIGN') node.send({ ...msg, robot: { ...msg.robot, token: 'made up' } })
return null
`

describe('robot-request and robot-answer', function () {
  this.timeout(120_000)
  let red: NodeRed
  let port = 0
  let robot: Robot
  let from = 0
  const output = () => red.output().slice(from)

  const flow = (more: object = {}, others: object[] = []) => [
    { id: 'tab', type: 'tab', label: 'Cell' },
    {
      ...{ id: 'robots', type: 'vision-robot-connection', name: 'Robot 1', way: 'universal-robots', port },
      ...{ commands: '', box: '-200..800, -500..500, 0..600', deadline: 60, oldest: 600 },
      ...more,
    },
    {
      ...onTab,
      id: 'request',
      type: 'vision-robot-request',
      robots: 'robots',
      wires: [['cell'], ['events']],
    },
    { ...onTab, id: 'cell', type: 'function', name: 'cell', func: cell, outputs: 1, wires: [['answer']] },
    { ...onTab, id: 'answer', type: 'vision-robot-answer', wires: [['answered'], ['dropped']] },
    ...['events', 'answered', 'dropped'].map((id) => ({
      ...{ ...onTab, id, type: 'debug', name: id, active: true, console: true, tosidebar: false },
      ...{ complete: 'true', targetType: 'full', wires: [] },
    })),
    ...others,
  ]
  const deploy = async (flows: object[]) => {
    from = red.output().length
    await red.deploy(flows)
    await eventually(() => output().should.match(/Started flows/))
  }
  const ask = async (text: string) => {
    await robot.send(text)
    return robot.line()
  }
  const connect = () => eventually(() => Robot.connect(port))

  before(async () => {
    ;[port = 0] = await freePorts(1)
    red = await sharedNodeRed({})
    await deploy(flow())
    robot = await connect()
  })
  after(async () => {
    robot.close()
    await red.deploy([])
  })

  it('hand over the poses of one picture, one at each request, without those outside the workspace', async () => {
    ;(await ask('pick')).should.equal('(0,2,0.9,0.4,0,0.3,3.141593,0,0)')
    ;(await ask('next')).should.equal('(0,1,0.7,0.5,0,0.3,3.141593,0,0)')
    ;(await ask('next')).should.equal('(2,0,0,0,0,0,0,0,0)')
    await eventually(() => output().should.match(/pose sent, 2 left, after \d+ ms/))
    output().should.match(/leftOut: 1/)
    output().should.match(/PICK of 127\.0\.0\.1 answered after \d+ ms/)
  })

  const failures: Record<string, number> = { NONE: 1, REFUSED: -4, OWN: 42, OLD: 221, BAD: 299, BROKEN: 299 }
  for (const [command, code] of Object.entries(failures))
    it(`tell the robot ${command} by code ${String(code)}, and never give it a pose`, async () => {
      ;(await ask(`${command}\n`)).should.equal(`(${String(code)},0,0,0,0,0,0,0,0)`)
      ;(await ask('NEXT\n')).should.startWith('(2,0,')
    })

  it('never hand over a picture of another pose of the robot', async () => {
    ;(await ask('PICK p[0.4, -0.2, 0.3, 0, 3.14, 0]\n')).should.startWith('(0,2,')
    ;(await ask('MOVED p[0.4, -0.2, 0.3, 0, 3.14, 0]\n')).should.startWith('(222,0,')
  })

  it('answer once, and drop second and foreign answers', async () => {
    ;(await ask('TWICE\n')).should.startWith('(0,2,')
    await eventually(() => output().should.match(/reason: '?second/))
    await robot.send('FOREIGN\n')
    await eventually(() => output().should.match(/reason: '?foreign/))
    ;(await ask('PICK\n')).should.startWith('(0,2,')
    await eventually(() => output().should.match(/sent another request before the answer/))
  })

  it('tell a panel which robot asked what, and how it was answered', async () => {
    ;(await ask('OWN\n')).should.startWith('(42,')
    await eventually(() => output().should.match(/OWN of 127\.0\.0\.1: code 42 \(code of the flow\)/))
    output()
      .should.match(/event: '?answered/)
      .and.match(/milliseconds: \d/)
    output()
      .should.match(/counts: /)
      .and.match(/robots: /)
  })

  it('end a request that nobody answers by its deadline', async () => {
    robot.close()
    await deploy(flow({ deadline: 0.2 }))
    robot = await connect()
    ;(await ask('NOTHING\n')).should.equal('(208,0,0,0,0,0,0,0,0)')
  })

  it('say who else has their port, and work on it when it is free', async () => {
    robot.close()
    const other = { id: 'other', type: 'vision-robot-connection', name: 'Robot 2', port }
    const request = {
      ...onTab,
      id: 'request 2',
      type: 'vision-robot-request',
      robots: 'other',
      wires: [[], []],
    }
    await deploy(flow({}, [other, request]))
    await eventually(() =>
      output().should.match(/Robot [12] and Robot [12] both listen on port \d+\. Give one/),
    )
    await deploy(flow())
    robot = await connect()
    ;(await ask('PICK\n')).should.startWith('(0,2,')
  })

  it('say in a sentence which setting cannot be used', async () => {
    robot.close()
    const cases: [object, RegExp][] = [
      [{ box: '0..1' }, /"0\.\.1" is not a workspace\. Write three ranges/],
      [{ allow: 'robot' }, /"robot" in the allowed robots is not an address/],
      [{ listen: '192.0.2.1' }, /192\.0\.2\.1 is not an address of this computer/],
      [
        { way: 'ascii', poseFormat: 'custom', poseFormatCustom: 'zz' },
        /"zz" does not describe a pose format/,
      ],
    ]
    for (const [fields, sentence] of cases) {
      await deploy(flow(fields))
      await eventually(() => output().should.match(sentence))
    }
    const twice = { ...onTab, id: 'second', type: 'vision-robot-request', robots: 'robots', wires: [[], []] }
    await deploy(flow({}, [twice]))
    await eventually(() => output().should.match(/Two robot request nodes use the same robot connection/))
    should(output()).not.match(/\{\{|undefined/)
  })
})
