import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import type { FleetSummary } from '../../lib/fleet/centre'
import {
  shownRollout,
  whoOrders,
  type PreparedRollout,
  mapOfPage,
  rolloutOfPage,
  stateOfPage,
  plansIn,
  fleetIn,
} from './page'
import { sentencesOf } from '../sentences'
import { type Properties, NodeAnswer } from '../shared/outcome'
import { asSentence } from '../shared/sentences'
import { deliver, oneByOne, whenStarted } from '../shared/handle-input'
import { detailOf, currentLanguage, withLanguage } from '../shared/node-error'
import { operatorFleetNode, type OperatorFleetFields } from './fields'

const { say, invalidInput, nodeError, summarize } = sentencesOf('operator-fleet')

const pageOrders = ['start', 'approve', 'pause', 'resume', 'stop'] as const

type PageOrder = (typeof pageOrders)[number]

/** Pressing it sends back `order`. */
interface Button {
  order: { topic: PageOrder; plan?: string; rollout?: string; wave?: number }
  label: string
  /** Label of the second press; empty: none needed. */
  sure: string
  kind: 'main' | 'plain' | 'stop'
  enabled: boolean
}

function buttonsOfPage(fleet: FleetSummary, plans: readonly PreparedRollout[]) {
  const enabled = whoOrders(fleet) === 'fleet-acting'
  return { buttons: buttonsOf(fleet, plans, enabled), cancel: say('button-cancel') }
}

function buttonsOf(fleet: FleetSummary, plans: readonly PreparedRollout[], enabled: boolean): Button[] {
  const shown = shownRollout(fleet)
  if (!shown || shown.state === 'ended')
    return plans.map(({ name }) => ({
      ...{ order: { topic: 'start', plan: name }, label: say('button-start', { name }) },
      ...{ sure: say('sure-start'), kind: 'main', enabled },
    }))
  const { id: rollout, state, wave } = shown
  const simple = (topic: 'pause' | 'resume' | 'stop', kind: Button['kind']): Button => ({
    ...{ order: { topic, rollout }, label: say(`button-${topic}`), sure: '', kind, enabled },
  })
  const approve: Button = {
    ...{ order: { topic: 'approve', rollout, wave }, label: say('button-approve') },
    ...{ sure: say('sure-approve'), kind: 'main', enabled },
  }
  const stop = simple('stop', 'stop')
  switch (state) {
    case 'waits-for-approval':
      return [approve, stop]
    case 'running':
      return [simple('pause', 'plain'), stop]
    case 'paused':
      return [simple('resume', 'main'), stop]
    case 'stopping':
      return []
  }
}

interface OrderMessage {
  plan?: unknown
  rollout?: unknown
  wave?: unknown
}

/** @throws INVALID_INPUT; REFUSED if the page was out of date */
function ordered(
  topic: PageOrder,
  { plan, rollout, wave }: OrderMessage,
  fleet: FleetSummary | undefined,
  plans: readonly PreparedRollout[],
): Properties {
  if (topic === 'start') {
    const found = plans.find(({ name }) => name === plan)
    const name = typeof plan === 'string' ? plan.slice(0, 100) : typeof plan
    if (!found) throw invalidInput('fleet-no-plan', { name })
    return { action: 'rollout', payload: found }
  }
  const shown = fleet && shownRollout(fleet)
  if (shown?.id !== rollout || (topic === 'approve' && shown?.wave !== wave))
    throw nodeError('REFUSED', 'fleet-page-old')
  return { action: topic, payload: true, rollout }
}

type OutputName = (typeof operatorFleetNode.outputs)[number]

const outputOf = (name: OutputName) => operatorFleetNode.outputs.indexOf(name)

/** A fleet's state, a caught error, or an order of the page. */
type PageMessage = NodeMessageInFlow & OrderMessage & { error?: unknown }

export function showPage(RED: NodeAPI, node: Node, { language, plans: text }: OperatorFleetFields): void {
  const inWords = <Text>(render: () => Text): Text => withLanguage(language || currentLanguage(), render)
  let plans: PreparedRollout[] = []
  let fleet: FleetSummary | undefined
  let notice: string | undefined

  const state = (): NodeAnswer => {
    const { all: devices = 0, problems = 0 } = fleet?.devices ?? {}
    const summary = summarize('result-fleet-shown', { devices, problems }, { value: problems })
    return new NodeAnswer(stateOfPage(fleet, notice), summary, outputOf('state'))
  }
  const before = new Map<OutputName, string>()
  const show = (name: OutputName, payload: Properties, summary: NodeAnswer['summary']) => {
    const content = JSON.stringify(payload)
    if (before.get(name) === content) return
    before.set(name, content)
    deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer({ payload }, summary, outputOf(name)), 0)
  }
  const showAll = (shown: FleetSummary) => {
    const map = mapOfPage(shown)
    show(
      'map',
      map,
      summarize('result-fleet-map', { plants: map.plants.length }, { value: map.plants.length }),
    )
    const rollout = rolloutOfPage(shown)
    show('rollout', rollout, { text: `${rollout.name} ${rollout.text}`.trim(), value: rollout.percent })
    const { buttons, ...more } = buttonsOfPage(shown, plans)
    const count = buttons.length
    show('buttons', { buttons, ...more }, summarize('result-fleet-buttons', { count }, { value: count }))
  }

  const orderIn = ({ error, topic }: PageMessage) =>
    error === undefined ? pageOrders.find((order) => order === topic) : undefined

  oneByOne(
    RED,
    node,
    operatorFleetNode,
    (msg: PageMessage) => Promise.resolve(inWords(() => answerTo(msg))),
    // States and errors change nothing.
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
        summarize('result-fleet-ordered', { action: order }, { value: order }),
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

  // The page shows the state before anything changes in the fleet.
  const cancel = whenStarted(RED, () => {
    const question = new NodeAnswer(
      { action: 'state' },
      summarize('result-fleet-ordered', { action: 'state' }),
    )
    deliver(RED, (msg) => node.send(msg), {}, question, outputOf('orders'))
  })
  node.on('close', cancel)
}
