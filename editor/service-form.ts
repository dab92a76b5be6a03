import type { Service } from '../lib/contract'
import type { OperationForm } from '../lib/contract/reading/form/operation-forms'
import { serviceForm as argumentsOf } from '../lib/contract/reading/form/form-shape'
import { refusal, type Refusal } from '../lib/contract/reading/values'
import { foundView, isDetection } from './camera/found-view'
import { awaited, dialogDevice, fixedText, request } from './device-api'
import { inBackground, type Dialog, isOpen, sharedText } from './dialog'
import { referencesIn } from './forms/context'
import { emptyGroup, formField, type FormField } from './forms/form'
import { type Offer, offers, offersList, type PickKind } from './picks/offers'

const names = ['device', 'pipeline', 'node', 'service']

/** Arguments of the selected service in `<div data-form="args" data-service>`, with a button to try it. */
export function serviceForm(dialog: Dialog) {
  const { form, input, value } = dialog
  const field = form.find('[data-service]').attr('data-form')
  if (!field) return
  const args = formField(dialog, field)
  tryService(dialog, args)
  let shownFor = ''
  /** Field values of the last answer. */
  let readAt = ''
  let turn = 0

  async function update() {
    const mine = ++turn
    const place = JSON.stringify(names.map((name) => value(name)))
    const service = await serviceOf(dialog).catch(() => 'unread' as const)
    if (mine !== turn || !isOpen(dialog)) return
    // Kept until it is read again.
    if (service === 'unread') {
      if (place !== readAt) draw(undefined)
      return
    }
    readAt = place
    draw(service)
  }

  function draw(service: Service | undefined) {
    const what = service ? JSON.stringify([service.name, service.args]) : 'unknown'
    if (what === shownFor) return
    shownFor = what
    if (service) args.turnTo(service.name, argumentsOf(service))
    args.draw({
      shape: service ? argumentsOf(service) : emptyGroup,
      // Without the device, fields are added by name.
      ...(!service && { names: { shapeOf: () => undefined } }),
      json: true,
      empty: sharedText('form.noArguments'),
      texts: { add: sharedText('form.addField') },
    })
  }

  const others = names.map((name) => input(name)[0]).filter(Boolean)
  $(others as HTMLElement[]).on('change', () => inBackground(update()))
  form.on('vision-refresh', () => inBackground(update()))
  inBackground(update())
}

/** Undefined if the device does not have it. */
async function serviceOf(dialog: Dialog): Promise<Service | undefined> {
  const api = dialogDevice(dialog)
  const [pipeline, node, serviceName] = ['pipeline', 'node', 'service'].map((name) => fixedText(dialog, name))
  if (!api || pipeline === undefined || !node || !serviceName) return undefined
  const services = pipeline
    ? await api.read('listServices', { pipeline, node })
    : await api.read('listGlobalServices', { node })
  return services.find(({ name }) => name === serviceName)
}

/** `<button data-try>` calls the service immediately, after a confirmation if it may change something. */
function tryService(dialog: Dialog, args: FormField) {
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
    if (reason) announce('bad', reason)
    else if (isReading(service)) inBackground(call())
    else ask(service)
  })

  function forget() {
    turn++
    button.prop('disabled', false)
    answer.empty()
    RED.tray.resize()
  }

  function whyNot(): string | undefined {
    if (!dialogDevice(dialog)) return sharedText('pick.deviceFirst')
    for (const field of ['pipeline', 'node', 'service'])
      if (fixedText(dialog, field) === undefined || (field !== 'pipeline' && !fixedText(dialog, field)))
        return sharedText('try.fixed', { fields: dialog.label(field) })
    const values = args.value()
    if (!values) return sharedText('try.fixed', { fields: dialog.label('args') })
    const elsewhere = referencesIn(values)
    return elsewhere.length ? sharedText('try.fixed', { fields: elsewhere.join(', ') }) : undefined
  }

  function ask(service: string) {
    const question = sharedText('try.question', { service })
    const yes = pushButton(sharedText('try.yes'), () => inBackground(call())).addClass('vision-try-yes')
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
    announce('soon', sharedText('try.calling'))
    const [pipeline = '', node = '', service = ''] = ['pipeline', 'node', 'service'].map((name) =>
      fixedText(dialog, name),
    )
    const seconds = Number(value('deadline'))
    const since = performance.now()
    const values = args.value() ?? {}
    try {
      const { response } = await api.call(
        'callService',
        { pipeline, node, service, args: values },
        seconds > 0 ? { deadline: seconds * 1000 } : {},
      )
      if (mine !== turn) return
      const after = Math.round(performance.now() - since)
      const refused = refusal(response)
      const line =
        refused === undefined
          ? sharedText('try.done', { after })
          : sharedText('try.refused', { said: messageOf(refused) })
      const parts = [statusLine(refused === undefined ? 'good' : 'bad', line)]
      if (refused === undefined && pipeline && isDetection(service, response)) {
        const found = { device: value('device'), pipeline, args: values, response }
        parts.push(foundView(found, () => RED.tray.resize()))
      }
      show(...parts, shownAnswer(response))
    } catch (problem) {
      if (mine === turn) announce('bad', problem instanceof Error ? problem.message : String(problem))
    }
    button.prop('disabled', false)
  }

  const announce = (how: keyof typeof icons, text: string) => show(statusLine(how, text))

  function show(...parts: JQuery[]) {
    answer.empty().append(parts)
    RED.tray.resize()
  }
}

/** Other services may change or move something. */
const isReading = (service: string) => service.startsWith('get_')

const icons = { good: 'fa-check', soon: 'fa-hourglass-half', bad: 'fa-times' }

const statusLine = (how: keyof typeof icons, text: string) =>
  $('<div>')
    .addClass(`vision-test-${how}`)
    .append(`<i class="fa ${icons[how]}" aria-hidden="true"></i> `, $('<span>').text(text))

const pushButton = (text: string, pressed: () => void) =>
  $('<button type="button" class="red-ui-button">').text(text).on('click', pressed)

const shownAnswer = (response: unknown) =>
  $('<pre class="vision-try-answer" tabindex="0">')
    .attr('aria-label', sharedText('try.answer'))
    .text(JSON.stringify(response, null, 2))

const messageOf = ({ by, message, value }: Refusal) =>
  by === 'return_code' ? `${message} (${value})` : message

/** `<input data-operation="input">` */
export function operationForm(dialog: Dialog) {
  const { node, form, value, label } = dialog
  const shown = form.find('[data-operation]')
  const field = shown.attr('data-operation')
  if (!field) return
  const about = form.find('[data-about-operation]')
  const input = formField(dialog, field)
  let shownFor: string | undefined

  const button = $('<span class="vision-pick-place">').insertAfter(shown)
  offersList({ place: button, shown, name: label('operation'), load: listed, isActive: () => true })

  async function listed(): Promise<Offer[]> {
    const all = await awaited(dialog, operations())
    return all.map(({ id, method, path, summary }) => ({
      name: id,
      about: `${method} ${path}`,
      description: summary,
    }))
  }

  async function update() {
    const name = value('operation').trim()
    const all = await awaited(dialog, operations()).catch(() => [])
    const what = JSON.stringify([name, all.length > 0])
    if (!isOpen(dialog) || name !== value('operation').trim() || what === shownFor) return
    shownFor = what
    const chosen = all.find(({ id }) => id === name)
    about.text(chosen ? aboutText(chosen) : name && all.length ? sharedText('form.noOperation') : '')
    about.toggleClass('vision-pick-mark', !chosen)
    if (chosen) input.turnTo(name, chosen.shape)
    input.draw({
      shape: chosen ? withAbout(chosen) : emptyGroup,
      // If the message selects the operation, inputs are added by name.
      ...(!chosen && { names: { shapeOf: () => undefined } }),
      json: true,
      empty: sharedText('form.noInput'),
      offersOf: chosen && ((path) => offersFor(chosen, path)),
      texts: { add: sharedText('form.addField') },
    })
  }

  const aboutText = ({ summary, method, path, variants }: OperationForm) =>
    [summary, `${method} ${path}`, variants?.map((variant) => sharedText(`form.only-${variant}`))]
      .flat()
      .filter(Boolean)
      .join(' · ')

  const withAbout = ({ shape }: OperationForm) => ({
    ...shape,
    fields: Object.fromEntries(
      Object.entries(shape.fields).map(([name, of]) => [name, { ...of, about: aboutField(name) }]),
    ),
  })

  /** Most names need no explanation. */
  function aboutField(name: string): string {
    const key = `device-request.field.${name}`
    const text = node._(key)
    return text === key || text.endsWith(key) ? '' : text
  }

  function offersFor({ path: address }: OperationForm, field: string) {
    const isGlobal = address.startsWith('/nodes/')
    const kind = field === 'node' && isGlobal ? 'global-node' : pickKinds[field]
    if (!kind || (field === 'id' && !address.startsWith('/templates/'))) return undefined
    return async (fresh: boolean) => {
      const api = dialogDevice(dialog)
      if (!api) throw new Error(sharedText('pick.deviceFirst'))
      const values = input.value() ?? {}
      const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
      if (needsNode.has(kind) && !text('node')) throw new Error(sharedText('pick.nodeFirst'))
      if (fresh) api.forget()
      const pipeline = isGlobal ? '' : text('pipeline') || '0'
      return offers(api, kind, { pipeline, node: text('node') })
    }
  }

  shown.on('change', () => inBackground(update()))
  form.on('vision-refresh', () => inBackground(update()))
  inBackground(update())
}

const pickKinds: Readonly<Record<string, PickKind>> = {
  pipeline: 'pipeline',
  node: 'node',
  param: 'parameter',
  service: 'service',
  stream: 'stream',
  log: 'log',
  id: 'template',
} satisfies Record<string, PickKind>
const needsNode: ReadonlySet<PickKind> = new Set(['parameter', 'service', 'template'])

let known: Promise<OperationForm[]> | undefined

/** Requested once, and again only after a failure. */
function operations(): Promise<OperationForm[]> {
  known ??= (request('GET', 'vision-devices/operations') as Promise<OperationForm[]>).catch(
    (problem: unknown) => {
      known = undefined
      throw problem
    },
  )
  return known
}
