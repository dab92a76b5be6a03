import { addToFlow, positionAt, workspace } from './add-to-flow'
import type { NewNode } from './new-node'

/** A format of our own, so that Node-RED does not treat the dragged item as a flow to import. */
const format = 'application/x-vision-node'

/** What is being dragged: a browser reveals the data only at the drop. */
let carried: NewNode | undefined

/** Makes a line draggable; dropped in the flow it becomes a node. */
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

/** Makes the open flow a drop target. */
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
