import { sharedText } from '../shared-text'
import { devices } from './device/devices'
import { addDevice, firstDevice } from './device/new-device'
import { saveDiagnostics } from './diagnostics-file'
import { droppable } from './flow/drag'
import { tree } from './tree/tree'
import { whileVisible } from './while-visible'

const id = 'vision-devices'

/** Adds the sidebar "Vision devices". The script runs for every type of node; the sidebar is there once. */
export function sidebar(): void {
  const title = sharedText('sidebar.title')
  // The first types may come before the texts of device-config.
  const hasTexts = !title.endsWith('sidebar.title')
  if (!hasTexts || document.getElementById(id)) return

  const shown = tree(devices(), {
    name: title,
    nothing: { key: '-', label: sharedText('sidebar.nothing'), tone: 'quiet', isText: true },
  })
  const content = $('<div class="vision-sidebar">').attr('id', id).append(firstDevice(), shown.element)
  const [element] = content.get()
  if (!element) return
  RED.sidebar.addTab({
    id,
    label: sharedText('sidebar.tab'),
    name: title,
    iconClass: 'fa fa-camera',
    target: 'primary',
    content: element,
    toolbar: toolbar(shown.hurry)[0],
  })
  droppable()
  whileVisible(element, shown.tick)
  for (const event of ['nodes:add', 'nodes:remove', 'nodes:change', 'deploy'])
    RED.events.on(event, shown.hurry)
  // Other flows, as of another project, may know another device by the same id.
  RED.events.on('flows:loaded', shown.clear)
  RED.events.on('registry:node-type-removed', (type: string) => {
    if (type === 'vision-device-config' && document.getElementById(id)) RED.sidebar.removeTab(id)
  })
}

function toolbar(hurry: () => void): JQuery {
  const file = button('download', sharedText('sidebar.diagnostics'), () => {
    file.prop('disabled', true)
    void saveDiagnostics()
      .catch((problem: unknown) => RED.notify(problem instanceof Error ? problem.message : '', 'error'))
      .finally(() => file.prop('disabled', false))
  })
  return $('<div>').append(
    button('plus', sharedText('sidebar.addDevice'), addDevice),
    file,
    button('refresh', sharedText('pick.again'), hurry),
  )
}

const button = (icon: string, name: string, pressed: () => void) =>
  $('<button type="button" class="red-ui-footer-button">')
    .attr({ 'aria-label': name, title: name })
    .append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`))
    .on('click', pressed)
