/** The sidebar: devices, parameters, handshakes, robots, missing names. In: admin routes and the flow. Out: a tab of the editor. */
import { request } from '../device-api'
import { saveText } from '../prepare'
import { sharedText } from '../dialog'
import { whileVisible } from '../live-panel'
import { addDevice, firstDevice } from './device'
import { devices } from './devices'
import { droppable } from './flow'
import type { LineProblem, TreeEntry } from './row'
import { searchField } from './configured'
import { tree } from './tree'

const action = 'vision:show-devices'
/** Free in Node-RED 4.1 and 5.0; K as in German Kamera, because C, D and V are taken. */
const key = 'ctrl-g k'

/** For small screens, where the tab is hidden: an action, a key that users may change, and an entry in the menu *View*. */
function reachable(tab: string, name: string, show: () => void): void {
  RED.actions.add(action, show, { label: name })
  RED.keyboard.add('*', key, action)
  // Node-RED's own entry shows no key.
  const entry = `menu-item-view-menu-${tab}`
  RED.menu.removeItem(entry)
  RED.menu.addItem('menu-item-view-menu', { id: entry, label: name, onselect: action, group: 'sidebar-tabs' })
}

function unreachable(): void {
  RED.keyboard.remove(key)
  RED.actions.remove(action)
}

const id = 'vision-devices'

/** Once, although the script runs once per node type. */
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
  // Another project may have a different device with the same id.
  RED.events.on('flows:loaded', clear)
  RED.events.on('registry:node-type-removed', (type: string) => {
    if (type !== 'vision-device-config' || !document.getElementById(id)) return
    unreachable()
    RED.sidebar.removeTab(id)
  })
}

/** Search and summary, devices, problems. */
function fill(content: JQuery, title: string) {
  const summary = $('<div class="vision-summary" role="status">')
  const pane = $('<div class="vision-devices">')
  let general: string | undefined

  const search = searchField({ changed: () => shown.renew(), leave: () => shown.enter() })
  const trouble = problems((item) => shown.focus(item))
  const update = () => trouble.show(general, shown.troubles())
  const root = devices({
    query: search.query,
    report: (state) => {
      general = state.problem
      if (summary.text() !== state.summary) summary.text(state.summary)
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
    saveDiagnostics()
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

interface Problems {
  element: JQuery
  show: (general: string | undefined, troubles: readonly LineProblem[]) => void
}

/** At the bottom; its constant height keeps everything else in place. */
function problems(go: (item: HTMLElement) => void): Problems {
  const title = sharedText('sidebar.problems')
  const list = $('<ul>')
  const none = $('<p>').text(sharedText('sidebar.noProblems'))
  const element = $('<div class="vision-problems" role="region" tabindex="0">')
    .attr('aria-label', title)
    .append(none, list)
  let shown = ''

  function show(general: string | undefined, troubles: readonly LineProblem[]) {
    const lines = troubles.map(({ label, text }) =>
      text.startsWith(`${label}:`) ? text : `${label}: ${text}`,
    )
    const now = JSON.stringify([general, lines])
    // Must not change while it is read or about to be clicked.
    if (now === shown) return
    shown = now
    none.prop('hidden', Boolean(general) || lines.length > 0)
    list.empty().append(
      general === undefined ? [] : $('<li>').text(general),
      lines.map((line, at) =>
        $('<li>').append(
          $('<button type="button">')
            .text(line)
            .on('click', () => {
              const item = troubles[at]?.item
              if (item?.isConnected) go(item)
            }),
        ),
      ),
    )
  }

  return { element, show }
}

/** @throws DeviceProblem */
async function saveDiagnostics(): Promise<void> {
  const diagnostics = await request('GET', 'vision-devices/diagnostics')
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  saveText(JSON.stringify(diagnostics, null, 2), `vision-diagnostics-${moment}.json`)
}
