import should from 'should'
import { Robot } from '../robots/robot'
import { useEditor } from '../support/editor'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { Sidebar } from '../support/sidebar'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const onTab = { z: 'tab', y: 100 }

describe('robots in the sidebar', () => {
  const open = useEditor()
  let robot: Robot | undefined
  afterEach(() => robot?.close())

  it('show which one is connected, its last request, the code, and counters', async () => {
    const [port = 0] = await freePorts(1)
    const sidebar = await new Sidebar(
      await open([
        tab,
        { id: 'ur', type: 'vision-robot-connection', name: 'Robot 1', way: 'universal-robots', port },
        { id: 'spare', type: 'vision-robot-connection', name: 'Robot 2', port: 1 },
        {
          ...onTab,
          x: 150,
          id: 'asks',
          type: 'vision-robot-request',
          robots: 'ur',
          wires: [['answer'], []],
        },
        {
          ...onTab,
          x: 400,
          id: 'answer',
          type: 'vision-robot-answer',
          poses: 'payload.pose',
          posesType: 'msg',
          wires: [[], []],
        },
      ]),
    ).show()
    await sidebar.shows('Robot 1', /0 connected/)
    await sidebar.shows('Robot 2', 'not open')
    const connected = (robot = await eventually(() => Robot.connect(port)))
    await connected.send('PICK p[0.4,-0.2,0.3,0,3.14,0]\n')
    should(await connected.line()).startWith('(0,1,')
    await sidebar.shows('Robot 1', new RegExp(`port ${String(port)} · 1 connected`))
    await sidebar.open('Robot 1')
    await sidebar.shows('127.0.0.1', /PICK · 0 · \d+ ms/)
    await connected.send('DANCE\n')
    should(await connected.line()).startWith('(207,0,')
    await sidebar.shows('Requests: 2', 'Done: 1. Other codes: 1.')
    await sidebar.shows('127.0.0.1', /DANCE · 207 · \d+ ms/)
  })
})
