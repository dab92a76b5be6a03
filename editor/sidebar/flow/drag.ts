import { addToFlow, positionAt, workspace } from './add-to-flow'
import type { NewNode } from './new-node'

/** Of our own, so that Node-RED does not take what is dragged for a flow to import. */
const format = 'application/x-vision-node'

/** What is being dragged. A browser tells only at the drop what it carries. */
let carried: NewNode | undefined

/** Lets a line be dragged; it becomes a node where it is dropped in the flow. */
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

/** Makes the open flow a place to drop. */
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
