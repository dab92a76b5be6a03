import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import type { FleetSummary } from '../../lib/fleet/centre'
import { asSentence } from '../shared/as-sentence'
import { deliver, oneByOne, whenStarted } from '../shared/handle-input'
import { detailOf, spoken, spokenTo } from '../shared/node-error'
import { NodeAnswer, type Properties } from '../shared/outcome'
import { buttonsOfPage, pageOrders } from './buttons'
import { operatorFleetNode, type OperatorFleetFields } from './fields'
import { ordered, type OrderMessage } from './ordered'
import { mapOfPage, rolloutOfPage, stateOfPage } from './page'
import { plansIn, type PreparedRollout } from './plans'
import { fleetIn } from './shown-fleet'
import { sentencesOf } from '../sentences'

const { invalidInput, told } = sentencesOf('operator-fleet')

type OutputName = (typeof operatorFleetNode.outputs)[number]
const outputOf = (name: OutputName) => operatorFleetNode.outputs.indexOf(name)

/** The state of a fleet, an error that a Catch node took, or an order of the page. */
type PageMessage = NodeMessageInFlow & OrderMessage & { error?: unknown }

/** What the node does; loaded with the first one of a flow. */
export function showPage(RED: NodeAPI, node: Node, { language, plans: text }: OperatorFleetFields): void {
  const inWords = <Said>(words: () => Said): Said => spokenTo(language || spoken(), words)
  let plans: PreparedRollout[] = []
  let fleet: FleetSummary | undefined
  let notice: string | undefined

  const state = (): NodeAnswer => {
    const { all: devices = 0, problems = 0 } = fleet?.devices ?? {}
    const summary = told('result-fleet-shown', { devices, problems }, { value: problems })
    return new NodeAnswer(stateOfPage(fleet, notice), summary, outputOf('state'))
  }
  const before = new Map<OutputName, string>()
  /** Sends what is another than before. */
  const show = (name: OutputName, payload: Properties, summary: NodeAnswer['told']) => {
    const content = JSON.stringify(payload)
    if (before.get(name) === content) return
    before.set(name, content)
    deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer({ payload }, summary, outputOf(name)), 0)
  }
  const showAll = (shown: FleetSummary) => {
    const map = mapOfPage(shown)
    show('map', map, told('result-fleet-map', { plants: map.plants.length }, { value: map.plants.length }))
    const rollout = rolloutOfPage(shown)
    show('rollout', rollout, { text: `${rollout.name} ${rollout.text}`.trim(), value: rollout.percent })
    const { buttons, ...more } = buttonsOfPage(shown, plans)
    const count = buttons.length
    show('buttons', { buttons, ...more }, told('result-fleet-buttons', { count }, { value: count }))
  }

  const orderIn = ({ error, topic }: PageMessage) =>
    error === undefined ? pageOrders.find((order) => order === topic) : undefined

  oneByOne(
    RED,
    node,
    operatorFleetNode,
    (msg: PageMessage) => Promise.resolve(inWords(() => answerTo(msg))),
    // What cells are like is nothing for a page to say.
    { changes: (msg: PageMessage) => msg.error === undefined },
  )

  function answerTo(msg: PageMessage): NodeAnswer {
    if (msg.error !== undefined) {
      notice = detailOf(msg.error)
      return state()
    }
    const order = orderIn(msg)
    if (order) {
      const properties = ordered(order, msg, fleet, plans)
      notice = undefined
      return new NodeAnswer(
        properties,
        told('result-fleet-ordered', { action: order }, { value: order }),
        outputOf('orders'),
      )
    }
    const shown = fleetIn(msg.payload)
    if (!shown) throw invalidInput('fleet-nothing-to-show')
    fleet = shown
    showAll(shown)
    return state()
  }

  try {
    plans = plansIn(text)
  } catch (error) {
    node.error(asSentence(error), {})
  }

  // The page is there before something changes in the fleet.
  const takeBack = whenStarted(RED, () => {
    const question = new NodeAnswer({ action: 'state' }, told('result-fleet-ordered', { action: 'state' }))
    deliver(RED, (msg) => node.send(msg), {}, question, outputOf('orders'))
  })
  node.on('close', takeBack)
}
