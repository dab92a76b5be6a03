import { sharedText } from '../dialog'

/** In the flow's coordinates. */
interface Position {
  x: number
  y: number
}

/** By default at a free place in the visible part. */
export function addToFlow({ type, fields }: NewNode, position: Position = freePlace()): void {
  const flow: unknown = RED.workspaces.active()
  if (!flow || RED.workspaces.isLocked()) {
    RED.notify(sharedText('sidebar.locked'), 'warning')
    return
  }
  const { node, historyEvent } = RED.view.createNode(type, position.x, position.y)
  Object.assign(node, fields)
  const added = RED.nodes.add(node, { source: 'palette' })
  RED.history.push(historyEvent)
  RED.editor.validateNode(added)
  RED.nodes.dirty(true)
  RED.view.select({ nodes: [added] })
  RED.view.redraw(true)
}

/** In the flow's coordinates. */
function positionAt({ clientX, clientY }: { clientX: number; clientY: number }): Position {
  const chart = workspace()
  const { left, top } = chart.getBoundingClientRect()
  const scale = RED.view.scale()
  return snapped({
    x: (clientX - left + chart.scrollLeft) / scale,
    y: (clientY - top + chart.scrollTop) / scale,
  })
}

function workspace(): HTMLElement {
  const [chart] = $('#red-ui-workspace-chart').get()
  if (!chart) throw new Error('no workspace')
  return chart
}

function freePlace(): Position {
  const { left, top, width, height } = workspace().getBoundingClientRect()
  const place = positionAt({ clientX: left + width / 2, clientY: top + height / 3 })
  const taken = RED.nodes.filterNodes({ z: RED.workspaces.active() }) as unknown as Position[]
  while (taken.some(({ x, y }) => Math.abs(x - place.x) < 180 && Math.abs(y - place.y) < 40)) place.y += 60
  return place
}

function snapped({ x, y }: Position): Position {
  const grid = RED.view.snapGrid ? RED.view.gridSize() : 1
  return { x: Math.max(60, Math.round(x / grid) * grid), y: Math.max(20, Math.round(y / grid) * grid) }
}

/** Own format: Node-RED must not import the dragged item as a flow. */
const format = 'application/x-vision-node'

/** A browser reveals the data only at the drop. */
let carried: NewNode | undefined

export function draggable(line: JQuery, node: () => NewNode | undefined): void {
  line.on('dragstart', ({ originalEvent }) => {
    const { dataTransfer } = originalEvent as DragEvent
    carried = node()
    if (!carried || !dataTransfer) return
    dataTransfer.setData(format, carried.type)
    dataTransfer.effectAllowed = 'copy'
  })
  line.on('dragend', () => (carried = undefined))
}

export function droppable(): void {
  $(workspace())
    .off('.vision-devices')
    .on('dragover.vision-devices', (event) => {
      if (!carried) return
      event.preventDefault()
      const { dataTransfer } = event.originalEvent as DragEvent
      if (dataTransfer) dataTransfer.dropEffect = 'copy'
    })
    .on('drop.vision-devices', (event) => {
      if (!carried) return
      event.preventDefault()
      addToFlow(carried, positionAt(event.originalEvent as DragEvent))
      carried = undefined
    })
}

/** The other fields have their defaults. */
export interface NewNode {
  type: string
  fields: Readonly<Record<string, unknown>>
}

export function nodeName(type: string): string {
  const definition = RED.nodes.getType(type) as
    | { paletteLabel?: string | ((this: unknown) => string) }
    | null
    | undefined
  const label = definition?.paletteLabel
  return typeof label === 'function' ? label.call(definition) : (label ?? type)
}
