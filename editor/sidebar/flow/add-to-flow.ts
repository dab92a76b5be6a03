import { sharedText } from '../../shared-text'
import type { NewNode } from './new-node'

/** Position in the flow, in its own coordinates. */
export interface Position {
  x: number
  y: number
}

/** Adds a configured node to the open flow; by default in a free place in the middle of the visible part. */
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

/** The flow coordinates of a point on the screen. */
export function positionAt({ clientX, clientY }: { clientX: number; clientY: number }): Position {
  const chart = workspace()
  const { left, top } = chart.getBoundingClientRect()
  const scale = RED.view.scale()
  return snapped({
    x: (clientX - left + chart.scrollLeft) / scale,
    y: (clientY - top + chart.scrollTop) / scale,
  })
}

export function workspace(): HTMLElement {
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
