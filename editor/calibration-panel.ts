import type { DriveSnapshot } from '../nodes/hand-eye-calibration/drive/panel'
import type { CalibrationSnapshot } from '../nodes/hand-eye-calibration/coverage'
import { inBackground, type Dialog, stored, sharedText } from './dialog'
import { livePanel } from './live-panel'
import type { Translator } from './texts'
import { problemIn, request } from './device-api'

/** Milliseconds between an answer and the next request. */
const pause = 500

/** Shows the deployed node's calibration in its dialog, and steers a driven one. */
export function calibrationPanel(dialog: Dialog, translate: Translator): void {
  const { node, form } = dialog
  const at = `vision-devices/hand-eye/${encodeURIComponent(node.id)}`
  const plot = plotImage(translate('coverage'))
  const view = driveView(translate, (order, question) =>
    request('POST', `${at}/order`, { order, request: question }),
  )
  const { details, state, announce } = livePanel<CalibrationSnapshot>(dialog, translate, {
    ...{ pause, show, parts: [view.element, plot] },
    ask: async () => {
      const query = $.param({ theme: isDark(details) ? 'dark' : 'light' })
      return (await request('GET', `${at}?${query}`)) as CalibrationSnapshot
    },
    clear: () => {
      showPlot(plot, undefined)
      view.clear()
    },
  })
  details.addClass('vision-calibration')
  // Whoever opens this dialog wants to see the robot's state and answer its questions.
  if (stored(node, 'drive') !== 'messages' && !node['changed']) details.prependTo(form).prop('open', true)

  function show(snapshot: CalibrationSnapshot): void {
    const { poses, ready, coverage, result, drive } = snapshot
    const changed = node['changed'] ? [translate('changed')] : []
    view.show(drive)
    if (drive) {
      state.text(doingText(drive))
      announce([...(drive.said === undefined ? [] : [drive.said]), ...changed].join(' '))
      showPlot(plot, undefined)
      return
    }
    state.text([translate('poses', { count: poses }), ...(ready ? [translate('ready')] : [])].join(', '))
    const outcome = result ? [translate('result', { result: errorsText(result, translate) })] : []
    announce([...outcome, ...changed].join(' '))
    if (showPlot(plot, coverage)) RED.tray.resize()
  }
}

function isDark(element: JQuery): boolean {
  const [red = 0, green = 0, blue = 0] = (element.css('color').match(/\d+/g) ?? []).map(Number)
  return red + green + blue > 380
}

type Order = DriveSnapshot['orders'][number]

/** Buttons of the question; the others are in a row below. */
const answers: readonly Order[] = ['confirm', 'skip', 'decline']

/** Milliseconds too short to read a question; the robot accepts no earlier answer either. */
const readingTime = 700

/** Question, activity, plan and buttons of a driven calibration. @param send rejects with the reason */
function driveView(translate: Translator, send: (order: Order, request?: string) => Promise<unknown>) {
  const question = $('<div class="vision-try-question vision-drive-question" role="group">')
    .attr('aria-label', translate('question'))
    .prop('hidden', true)
  const questionText = $('<p role="status">').appendTo(question)
  const answerRow = $('<div>').appendTo(question)
  const buttons = $('<div class="vision-drive-buttons">')
  const refusal = $('<div class="vision-hint" role="alert">')
  const facts = $('<div>')
  const coverage = plotImage(translate('coverage'))
  const residuals = plotImage(translate('residuals'))
  const planned = $('<ol class="vision-drive-planned">')
  const element = $('<div hidden>').append(question, buttons, refusal, facts, coverage, residuals)
  element.append(planned)
  /** Until then, a click was meant for something else. */
  let reading: ReturnType<typeof setTimeout> | undefined
  /** Redrawing loses the focus. */
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
      clearTimeout(reading)
      answerRow.find('button').prop('disabled', true)
      reading = setTimeout(() => {
        reading = undefined
        answerRow.find('button').prop('disabled', false)
      }, readingTime)
      buttons.empty().append(
        row(
          orders.filter((order) => !answers.includes(order)),
          orders,
        ),
      )
    }
    question.prop('hidden', !asks)
    if (questionText.text() !== (asks?.text ?? '')) questionText.text(asks?.text ?? '')
    facts.empty().append(driveFacts(drive, translate))
    planned
      .empty()
      .append(drive.planned.map(({ number, text }) => $('<li>').attr('value', number).text(text)))
    planned.prop('hidden', !drive.planned.length).attr('aria-label', translate('planned'))
    const isNew = [
      showPlot(coverage, drive.coverage),
      showPlot(residuals, result?.residuals ?? drive.residuals),
    ]
    if (isNew.some(Boolean)) RED.tray.resize()
  }

  function row(candidates: readonly Order[], orders: readonly Order[], request?: string): JQuery[] {
    return candidates
      .filter((order) => orders.includes(order))
      .map((order) =>
        $('<button type="button" class="red-ui-button">')
          .text(translate(`order.${order}`))
          .on('click', () => inBackground(ordered(order, request))),
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
      // A question is answered once; the next snapshot shows what is possible then.
      element.find('button').prop('disabled', false)
      if (reading !== undefined) answerRow.find('button').prop('disabled', true)
    }
  }
}

/** As in the node's status. */
const doingText = ({ doing }: DriveSnapshot): string =>
  doing ? sharedText(`status.${doing.word}`, { count: doing.count }) : ''

type DriveResult = NonNullable<DriveSnapshot['result']>

function driveFacts(drive: DriveSnapshot, translate: Translator): JQuery {
  const { at, seen, unseen, left, bound, doubtful, result } = drive
  const facts: [string, string][] = []
  if (result) {
    facts.push(['result', resultText(result, translate)])
    const { comparison } = result
    if (comparison) facts.push(['compared', translate('comparison', { ...comparison })])
  }
  if (bound) facts.push(['accuracy', translate('bound', { ...bound })])
  if (seen + unseen > 0) facts.push(['looks', translate('seen', { seen, unseen })])
  if (left !== undefined) facts.push(['left', String(left)])
  if (doubtful?.length) facts.push(['doubtful', doubtful.join(', ')])
  if (at !== undefined) facts.push(['at', at])
  return $('<dl class="vision-plc-facts">').append(
    facts.flatMap(([key, text]) => [$('<dt>').text(translate(`fact.${key}`)), $('<dd>').text(text)]),
  )
}

/** Errors with their limits, and whether the device uses the result. */
function resultText({ saved, ...result }: DriveResult, translate: Translator): string {
  return translate(saved ? 'resultSaved' : 'resultUnsaved', { result: errorsText(result, translate) })
}

const errorsText = (
  { good, errors, limits }: Pick<DriveResult, 'good' | 'errors' | 'limits'>,
  translate: Translator,
): string =>
  translate('errors', {
    millimetres: abbreviated(errors.millimetres),
    degrees: abbreviated(errors.degrees),
    limitMillimetres: limits.millimetres,
    limitDegrees: limits.degrees,
    judgement: translate(good ? 'good' : 'bad'),
  })

const abbreviated = (value: number | undefined) => (value === undefined ? '?' : Number(value.toPrecision(3)))

/** Empty plot. @param name for screen readers */
const plotImage = (name: string): JQuery => $('<img class="vision-plot" hidden>').attr('alt', name)

/** @param svg undefined hides it @returns whether it was different before */
function showPlot(image: JQuery, svg: string | undefined): boolean {
  const isHidden = image.prop('hidden') === true
  if (svg === undefined) {
    image.prop('hidden', true)
    return !isHidden
  }
  const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  if (image.attr('src') === source && !isHidden) return false
  image.attr('src', source).prop('hidden', false)
  return true
}
