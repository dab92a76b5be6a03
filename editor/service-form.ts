import type { Service } from '../lib/contract'
import { serviceForm as argumentsOf } from '../lib/contract/reading/form/service-form'
import { isOpen, type Dialog } from './dialog'
import { dialogDevice, fixedText } from './dialog-device'
import { emptyGroup, formField } from './forms/form-field'
import { sharedText } from './shared-text'
import { tryService } from './try-service'

const names = ['device', 'pipeline', 'node', 'service']

/**
 * Draws the arguments of the chosen service into `<div data-form="args" data-service>`, with a button that tries it.
 */
export function serviceForm(dialog: Dialog) {
  const { form, input, value } = dialog
  const field = form.find('[data-service]').attr('data-form')
  if (!field) return
  const args = formField(dialog, field)
  tryService(dialog, args)
  let shownFor = ''
  /** The values of the fields for which the device has answered. */
  let readAt = ''
  let turn = 0

  async function update() {
    const mine = ++turn
    const place = JSON.stringify(names.map((name) => value(name)))
    const service = await serviceOf(dialog).catch(() => 'unread' as const)
    if (mine !== turn || !isOpen(dialog)) return
    // What was read before is kept until it is read again.
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
  $(others as HTMLElement[]).on('change', () => void update())
  form.on('vision-refresh', () => void update())
  void update()
}

/** The service chosen in the dialog, if the device has it. */
async function serviceOf(dialog: Dialog): Promise<Service | undefined> {
  const api = dialogDevice(dialog)
  const [pipeline, node, wanted] = ['pipeline', 'node', 'service'].map((name) => fixedText(dialog, name))
  if (!api || pipeline === undefined || !node || !wanted) return undefined
  const services = pipeline
    ? await api.read('listServices', { pipeline, node })
    : await api.read('listGlobalServices', { node })
  return services.find(({ name }) => name === wanted)
}
