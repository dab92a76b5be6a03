import type { Dialog } from '../dialog'
import type { Translator } from '../texts'

/** A node of the flow as the editor has it, for as much as is needed here. */
interface PlacedNode extends EditorNode {
  readonly x: number
  readonly y: number
}

/** Where the nodes stand beside the trigger, in pixels. */
const places = { acquire: [250, -40], mode: [250, 40], result: [500, 0] } as const
/** So far from the upper edge that all of them are on the page. */
const highest = 80

/**
 * Offers the other nodes of a cell in the dialog of a trigger that has no wires yet: one acquisition for each trigger, proven by
 * its images, the mode that it needs, and the answer. They use the device that is chosen in the dialog.
 */
export function cellNodes({ node, input, value, form }: Dialog, told: Translator): void {
  const trigger = node as PlacedNode
  if (RED.nodes.filterLinks({ source: { id: trigger.id } }).length > 0 || RED.workspaces.isLocked()) return
  const button = $('<button type="button" class="red-ui-button">')
    .append($('<i class="fa fa-magic" aria-hidden="true">'), ' ', $('<span>').text(told('add')))
    .on('click', () => {
      addCell(trigger, value('device'))
      row.find('.vision-hint').text(told('added'))
      button.remove()
    })
  const hint = $('<div class="vision-hint" role="status">')
  const row = $('<div class="form-row vision-plc-cell">').append($('<label>'), button, hint).appendTo(form)
  const look = () => {
    const has = value('device') !== ''
    button.prop('disabled', !has)
    hint.text(told(has ? 'hint' : 'needsDevice'))
  }
  input('device').on('change', look)
  look()
}

function addCell(trigger: PlacedNode, device: string): void {
  const top = Math.max(trigger.y, highest)
  const events: Parameters<typeof RED.history.push>[0][] = []
  const add = (type: string, [dx, dy]: readonly [number, number], fields: object): object => {
    const { node, historyEvent } = RED.view.createNode(type, trigger.x + dx, top + dy)
    const added = RED.nodes.add(Object.assign(node, fields), { source: 'palette' })
    RED.editor.validateNode(added)
    events.push(historyEvent)
    return added
  }
  const wire = (source: object, sourcePort: number, target: object) => {
    const link = { source, sourcePort, target }
    RED.nodes.addLink(link)
    events.push({ t: 'add', links: [link] })
  }
  const depth = { device, node: 'dev_stereomatching' }
  // Nothing but the proof: a picture is chosen in its dialog.
  const acquire = add('vision-acquire', places.acquire, { ...depth, left: 'none' })
  const mode = add('vision-set-parameter', places.mode, {
    ...depth,
    name: 'SingleFrame',
    parameter: 'acquisition_mode',
    value: 'SingleFrame',
    valueType: 'str',
  })
  const result = add('vision-plc-result', places.result, {})
  wire(trigger, 0, acquire)
  wire(trigger, 2, mode)
  wire(acquire, 0, result)
  wire(mode, 0, result)
  RED.history.push({ t: 'multi', events, dirty: RED.nodes.dirty() })
  RED.nodes.dirty(true)
  RED.view.redraw(true)
}
