import type { OperationForm } from '../lib/contract/reading/form/operation-forms'
import { isOpen, type Dialog } from './dialog'
import { awaited } from './device-trouble'
import { dialogDevice } from './dialog-device'
import { emptyGroup, formField } from './forms/form-field'
import { offers, type Offer, type PickKind } from './picks/offers'
import { offersList } from './picks/offers-list'
import { request } from './request'
import { sharedText } from './shared-text'

/** Offers all operations in `<input data-operation="input">` and draws the form of the chosen one. */
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
    const wanted = value('operation').trim()
    const all = await awaited(dialog, operations()).catch(() => [])
    const what = JSON.stringify([wanted, all.length > 0])
    if (!isOpen(dialog) || wanted !== value('operation').trim() || what === shownFor) return
    shownFor = what
    const chosen = all.find(({ id }) => id === wanted)
    about.text(chosen ? aboutText(chosen) : wanted && all.length ? sharedText('form.noOperation') : '')
    about.toggleClass('vision-pick-mark', !chosen)
    if (chosen) input.turnTo(wanted, chosen.shape)
    input.draw({
      shape: chosen ? withAbout(chosen) : emptyGroup,
      // If the message chooses the operation, inputs are added by name.
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

  /** Most names are self-explanatory. */
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
      const given = input.value() ?? {}
      const text = (name: string) => (typeof given[name] === 'string' ? given[name] : '')
      if (needsNode.has(kind) && !text('node')) throw new Error(sharedText('pick.nodeFirst'))
      if (fresh) api.forget()
      const pipeline = isGlobal ? '' : text('pipeline') || '0'
      return offers(api, kind, { pipeline, node: text('node') })
    }
  }

  shown.on('change', () => void update())
  form.on('vision-refresh', () => void update())
  void update()
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

/** All operations of the contract; requested once, and again only after a failure. */
function operations(): Promise<OperationForm[]> {
  known ??= (request('GET', 'vision-devices/operations') as Promise<OperationForm[]>).catch(
    (problem: unknown) => {
      known = undefined
      throw problem
    },
  )
  return known
}
