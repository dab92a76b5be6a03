import { sharedText } from '../shared-text'
import { devices } from './device/devices'
import { addDevice, firstDevice } from './device/new-device'
import { saveDiagnostics } from './diagnostics-file'
import { droppable } from './flow/drag'
import { problems } from './problems'
import { reachable, unreachable } from './reach'
import { searchField } from './search/search-field'
import type { TreeEntry } from './tree/entry'
import { tree } from './tree/tree'
import { whileVisible } from '../while-visible'

const id = 'vision-devices'

/** Adds the sidebar "Vision devices" once, although the script runs once per node type. */
export function sidebar(): void {
  const title = sharedText('sidebar.title')
  // The first types may load before the texts of device-config.
  const hasTexts = !title.endsWith('sidebar.title')
  if (!hasTexts || document.getElementById(id)) return

  const content = $('<div class="vision-sidebar">').attr('id', id)
  const [element] = content.get()
  if (!element) return
  const { hurry, tick, clear, focusSearch } = fill(content, title)
  RED.sidebar.addTab({
    id,
    label: sharedText('sidebar.tab'),
    name: title,
    iconClass: 'fa fa-camera',
    target: 'primary',
    content: element,
    toolbar: toolbar(hurry)[0],
  })
  reachable(id, title, () => {
    RED.sidebar.show(id)
    focusSearch()
  })
  droppable()
  whileVisible(element, tick)
  for (const event of ['nodes:add', 'nodes:remove', 'nodes:change', 'deploy']) RED.events.on(event, hurry)
  // Other flows, such as those of another project, may have a different device with the same id.
  RED.events.on('flows:loaded', clear)
  RED.events.on('registry:node-type-removed', (type: string) => {
    if (type !== 'vision-device-config' || !document.getElementById(id)) return
    unreachable()
    RED.sidebar.removeTab(id)
  })
}

/** From the top: the search and the number of ready devices, the devices, the problems. */
function fill(content: JQuery, title: string) {
  const summary = $('<div class="vision-summary" role="status">')
  const pane = $('<div class="vision-devices">')
  let general: string | undefined

  const search = searchField({ changed: () => shown.renew(), leave: () => shown.enter() })
  const trouble = problems((item) => shown.focus(item))
  const update = () => trouble.show(general, shown.troubles())
  const root = devices({
    query: search.query,
    tell: (told) => {
      general = told.problem
      if (summary.text() !== told.summary) summary.text(told.summary)
    },
  })
  const shown = tree(root, {
    name: title,
    nothing: remark('-', sharedText('sidebar.nothing')),
    unread: remark('?', sharedText('sidebar.unread')),
    pane,
    changed: update,
  })
  content.append(firstDevice(), search.element, summary, pane, trouble.element)
  return { ...shown, focusSearch: () => search.element.find('input').trigger('focus') }
}

const remark = (key: string, label: string): TreeEntry => ({ key, label, tone: 'quiet', isText: true })

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
