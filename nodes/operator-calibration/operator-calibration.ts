/** The node *operator calibration*. In: messages of the calibration node. Out: messages for an operator's widgets. */
import { createRequire } from 'node:module'
import type { Node, NodeAPI, NodeDef, NodeMessageInFlow } from 'node-red'
import type { GridView } from '../hand-eye-calibration/drive/driving'
import type { DriveSnapshot, PanelOrder } from '../hand-eye-calibration/drive/panel'
import { loadProcedure, stateOf, type CalibratingNode } from '../hand-eye-calibration/panel-routes'
import { Throttle } from '../../lib/kernel/rate'
import { normalizedCommand } from '../shared/permission'
import { deliver, oneByOne, whenStarted } from '../shared/handle-input'
import { checkedFields } from '../shared/fields/checked-fields'
import { detailOf, setLanguage, currentLanguage, withLanguage } from '../shared/node-error'
import { NodeAnswer } from '../shared/outcome'
import { operatorCalibrationNode, type OperatorCalibrationFields } from './fields'
import type * as Page from './page'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError, summarize } = sentencesOf('operator-calibration')

type OutputName = (typeof operatorCalibrationNode.outputs)[number]
const outputOf = (name: OutputName) => operatorCalibrationNode.outputs.indexOf(name)

/** Milliseconds between updates of the page. */
const pause = 200

export default (RED: NodeAPI) => {
  setLanguage(RED)
  RED.nodes.registerType(
    'vision-operator-calibration',
    function (this: Node, config: NodeDef & OperatorCalibrationFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, operatorCalibrationNode, config)
      if (!fields) return
      const { language: chosen, theme: themeSetting } = fields
      const theme = themeSetting === 'dark' ? 'dark' : 'light'
      const language = () => chosen || currentLanguage()
      const inWords = <Text>(render: () => Text): Text => withLanguage(language(), render)
      const page = () => createRequire(__filename)('./page') as typeof Page
      let isClosed = false

      const calibration = (): CalibratingNode['calibration'] | undefined => {
        const [wired = []] = (this as { wires?: string[][] }).wires ?? []
        const nodes = wired.map((id) => RED.nodes.getNode(id) as CalibratingNode | null)
        return nodes.find((node) => node?.type === 'vision-hand-eye-calibration')?.calibration
      }
      const snapshot = async (): Promise<DriveSnapshot> => {
        const { fields, session, drive } = calibration() ?? {}
        if (!fields || !drive) throw inWords(() => invalidInput('no-calibration'))
        const { driveSnapshotOf } = loadProcedure()
        return driveSnapshotOf(stateOf(fields, session, drive), { theme, language: language() })
      }

      const before = new Map<OutputName, string>()
      const send = (name: OutputName, answer: NodeAnswer) => {
        const content = JSON.stringify(answer.properties)
        if (isClosed || before.get(name) === content) return
        before.set(name, content)
        deliver(RED, (msg) => this.send(msg), {}, answer, 0)
      }
      let shownView: GridView | undefined
      const showView = async () => {
        const { fields, drive } = calibration() ?? {}
        const view = drive?.driving.display.view
        if (!fields || !view || view === shownView) return
        shownView = view
        const { viewOf, patternOf } = page()
        const payload = await viewOf(view, patternOf(fields))
        if (shownView === view)
          send(
            'picture',
            new NodeAnswer(
              { payload },
              inWords(() => summarize('picture-told')),
              outputOf('picture'),
            ),
          )
      }
      const show = async () => {
        try {
          const drive = await snapshot()
          const { pageOf, buttonsOf, plotsOf } = page()
          inWords(() => {
            // Before the text that refers to one of them.
            const buttons = buttonsOf(drive)
            send(
              'buttons',
              new NodeAnswer({ payload: buttons }, summarize('buttons-told'), outputOf('buttons')),
            )
            const shown = pageOf(drive)
            const summary = { text: shown.instruction }
            send('state', new NodeAnswer({ payload: shown }, summary, outputOf('state')))
            const plots = plotsOf(drive, theme)
            send('plots', new NodeAnswer({ payload: plots }, summarize('plots-told'), outputOf('plots')))
          })
          await showView()
        } catch (error) {
          if (!isClosed) this.warn(detailOf(error))
        }
      }
      // In sequence: an older state must not follow a newer one.
      let turn: Promise<void> = Promise.resolve()
      const showing = new Throttle(pause, () => {
        turn = turn.then(show)
      })

      let unwatch: (() => void) | undefined
      const cancel = whenStarted(RED, () => {
        unwatch = calibration()?.drive?.driving.watch(() => showing.push())
        showing.push()
      })

      const order = async (msg: NodeMessageInFlow) => {
        const { orders } = await snapshot()
        const command = normalizedCommand(msg.topic)
        const wanted = orders.find((order) => order === command)
        const { request } = msg as { request?: unknown }
        const isAnswer = wanted === 'confirm' || wanted === 'decline' || wanted === 'skip'
        try {
          if (!wanted) throw inWords(() => nodeError('REFUSED', 'order-refused'))
          // The question may have closed before the button was pressed.
          if (isAnswer) inWords(() => calibration()?.drive?.driving.question.mustTake(request))
        } catch (error) {
          // The sending screen may be out of date.
          before.clear()
          showing.push()
          throw error
        }
        return ordered(wanted, isAnswer ? String(request) : undefined)
      }
      // Everybody may stop.
      oneByOne(RED, this, operatorCalibrationNode, order, { changes: ({ topic }) => topic !== 'stop' })
      const ordered = (topic: PanelOrder, request: string | undefined) =>
        new NodeAnswer(
          { topic, payload: '', ...(request !== undefined && { request }) },
          inWords(() => summarize('ordered', { order: topic })),
          outputOf('orders'),
        )

      this.on('close', () => {
        isClosed = true
        cancel()
        unwatch?.()
        showing.close()
      })
    },
  )
}
