import { refusal, type Refusal } from '../lib/contract/reading/refusal'
import { foundView, isDetection } from './camera/found-view'
import type { Dialog } from './dialog'
import { dialogDevice, fixedText } from './dialog-device'
import type { FormField } from './forms/form-field'
import { referencesIn } from './forms/places'
import { sharedText } from './shared-text'

/**
 * Calls the service of the dialog immediately, from `<button data-try>`; asks for confirmation if it may change
 * something.
 */
export function tryService(dialog: Dialog, args: FormField) {
  const { form, value } = dialog
  const button = form.find('[data-try]')
  if (!button.length) return
  const row = button.closest('.form-row')
  const answer = $('<div class="vision-answer" role="status">').appendTo(row)
  let turn = 0
  form.on('change', () => {
    if (answer.children().length) forget()
  })
  button.on('click', () => {
    const reason = whyNot()
    const service = fixedText(dialog, 'service') ?? ''
    if (reason) say('bad', reason)
    else if (isReading(service)) void call()
    else ask(service)
  })

  function forget() {
    turn++
    button.prop('disabled', false)
    answer.empty()
    RED.tray.resize()
  }

  /** What prevents a call from here. */
  function whyNot(): string | undefined {
    if (!dialogDevice(dialog)) return sharedText('pick.deviceFirst')
    for (const field of ['pipeline', 'node', 'service'])
      if (fixedText(dialog, field) === undefined || (field !== 'pipeline' && !fixedText(dialog, field)))
        return sharedText('try.fixed', { fields: dialog.label(field) })
    const given = args.value()
    if (!given) return sharedText('try.fixed', { fields: dialog.label('args') })
    const elsewhere = referencesIn(given)
    return elsewhere.length ? sharedText('try.fixed', { fields: elsewhere.join(', ') }) : undefined
  }

  function ask(service: string) {
    const question = sharedText('try.question', { service })
    const yes = pushButton(sharedText('try.yes'), () => void call()).addClass('vision-try-yes')
    const no = pushButton(sharedText('try.no'), cancel)
    const box = $('<div class="vision-try-question" role="group">').attr('aria-label', question)
    box.on('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancel()
    })
    show(box.append($('<p>').text(question), yes, ' ', no))
    no.trigger('focus')
  }

  function cancel() {
    forget()
    button.trigger('focus')
  }

  async function call() {
    const api = dialogDevice(dialog)
    if (!api) return
    const mine = ++turn
    button.prop('disabled', true)
    say('soon', sharedText('try.calling'))
    const [pipeline = '', node = '', service = ''] = ['pipeline', 'node', 'service'].map((name) =>
      fixedText(dialog, name),
    )
    const seconds = Number(value('deadline'))
    const since = performance.now()
    const given = args.value() ?? {}
    try {
      const { response } = await api.call(
        'callService',
        { pipeline, node, service, args: given },
        seconds > 0 ? { deadline: seconds * 1000 } : {},
      )
      if (mine !== turn) return
      const after = Math.round(performance.now() - since)
      const refused = refusal(response)
      const line =
        refused === undefined
          ? sharedText('try.done', { after })
          : sharedText('try.refused', { said: saidIn(refused) })
      const parts = [look(refused === undefined ? 'good' : 'bad', line)]
      if (refused === undefined && pipeline && isDetection(service, response)) {
        const found = { device: value('device'), pipeline, args: given, response }
        parts.push(foundView(found, () => RED.tray.resize()))
      }
      show(...parts, shownAnswer(response))
    } catch (problem) {
      if (mine === turn) say('bad', problem instanceof Error ? problem.message : String(problem))
    }
    button.prop('disabled', false)
  }

  const say = (how: keyof typeof looks, text: string) => show(look(how, text))

  function show(...parts: JQuery[]) {
    answer.empty().append(parts)
    RED.tray.resize()
  }
}

/** Any service not called "get" may change or move something. */
const isReading = (service: string) => service.startsWith('get_')

const looks = { good: 'fa-check', soon: 'fa-hourglass-half', bad: 'fa-times' }

const look = (how: keyof typeof looks, text: string) =>
  $('<div>')
    .addClass(`vision-test-${how}`)
    .append(`<i class="fa ${looks[how]}" aria-hidden="true"></i> `, $('<span>').text(text))

const pushButton = (text: string, pressed: () => void) =>
  $('<button type="button" class="red-ui-button">').text(text).on('click', pressed)

const shownAnswer = (response: unknown) =>
  $('<pre class="vision-try-answer" tabindex="0">')
    .attr('aria-label', sharedText('try.answer'))
    .text(JSON.stringify(response, null, 2))

const saidIn = ({ by, message, value }: Refusal) => (by === 'return_code' ? `${message} (${value})` : message)
