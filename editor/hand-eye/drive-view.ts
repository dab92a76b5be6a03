import type { DriveSnapshot } from '../../nodes/hand-eye-calibration/drive/snapshot'
import { problemIn } from '../request'
import { sharedText } from '../shared-text'
import type { Translator } from '../plc/translator'
import { driveFacts } from './facts'
import { showPlot, plotImage } from './plot-image'

type Order = DriveSnapshot['orders'][number]

/** What the robot asks is answered there; everything else stands in a row below. */
const answers: readonly Order[] = ['confirm', 'skip', 'decline']

/**
 * A robot that drives itself, in its dialog: what it asks, what it does, what it plans, and buttons for what a person can say.
 * @param send rejects with the reason where it is refused
 */
export function driveView(told: Translator, send: (order: Order, request?: string) => Promise<unknown>) {
  const question = $('<div class="vision-try-question vision-drive-question" role="group">')
    .attr('aria-label', told('question'))
    .prop('hidden', true)
  const asked = $('<p role="status">').appendTo(question)
  const answerRow = $('<div>').appendTo(question)
  const buttons = $('<div class="vision-drive-buttons">')
  const refusal = $('<div class="vision-hint" role="alert">')
  const facts = $('<div>')
  const coverage = plotImage(told('coverage'))
  const residuals = plotImage(told('residuals'))
  const planned = $('<ol class="vision-drive-planned">')
  const element = $('<div hidden>').append(question, buttons, refusal, facts, coverage, residuals)
  element.append(planned)
  /** What is drawn: what is drawn again loses the focus. */
  let drawn = ''
  return { element, show, clear: () => show(undefined) }

  function show(drive: DriveSnapshot | undefined): void {
    element.prop('hidden', !drive)
    if (!drive) return
    const { question: asks, orders, result } = drive
    const now = JSON.stringify([asks?.request, orders])
    if (now !== drawn) {
      drawn = now
      refusal.text('')
      answerRow.empty().append(asks ? row(answers, orders, asks.request) : [])
      buttons.empty().append(
        row(
          orders.filter((order) => !answers.includes(order)),
          orders,
        ),
      )
    }
    question.prop('hidden', !asks)
    if (asked.text() !== (asks?.text ?? '')) asked.text(asks?.text ?? '')
    facts.empty().append(driveFacts(drive, told))
    planned
      .empty()
      .append(drive.planned.map(({ number, text }) => $('<li>').attr('value', number).text(text)))
    planned.prop('hidden', !drive.planned.length).attr('aria-label', told('planned'))
    const isNew = [
      showPlot(coverage, drive.coverage),
      showPlot(residuals, result?.residuals ?? drive.residuals),
    ]
    if (isNew.some(Boolean)) RED.tray.resize()
  }

  function row(wanted: readonly Order[], orders: readonly Order[], request?: string): JQuery[] {
    return wanted
      .filter((order) => orders.includes(order))
      .map((order) =>
        $('<button type="button" class="red-ui-button">')
          .text(told(`order.${order}`))
          .on('click', () => void ordered(order, request)),
      )
  }

  async function ordered(order: Order, request?: string): Promise<void> {
    refusal.text('')
    element.find('button').prop('disabled', true)
    try {
      await send(order, request)
    } catch (error) {
      refusal.text(problemIn(error)?.message ?? '')
    } finally {
      // A question is answered once; the next look shows what is possible then.
      element.find('button').prop('disabled', false)
    }
  }
}

/** What the robot does, in the words of the node's status. */
export const doingText = ({ doing }: DriveSnapshot): string =>
  doing ? sharedText(`status.${doing.word}`, { count: doing.count }) : ''
