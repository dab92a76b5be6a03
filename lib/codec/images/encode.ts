import { Writer } from '../streams/writer'
import type { WantedImages } from './messages'

/** Writing is synchronous, so one writer serves all. */
const writer = new Writer()

/** Tags of the parts of a set: field number × 8, wire type 0. */
const partTags = { left: 0x08, right: 0x10, disparity: 0x18, error: 0x20, confidence: 0x28 } as const

/** Encodes an `ImageSetRequest`. */
export function encodeImageSetRequest(wanted: WantedImages): Buffer {
  writer.start()
  for (const part of ['left', 'right', 'disparity', 'error', 'confidence'] as const)
    flag(partTags[part], wanted[part])
  const { mesh, color } = wanted
  if (mesh) {
    flag(0x30, true)
    writer.integer(0x3a)
    const start = writer.open()
    if (mesh.maxPoints) {
      writer.integer(0x08)
      writer.integer(mesh.maxPoints)
    }
    flag(0x10, mesh.binning === 'nearest')
    flag(0x18, mesh.watertight)
    flag(0x20, mesh.textured)
    writer.close(start)
  }
  flag(0x40, color)
  return writer.finish()
}

/** An `ImageEventsRequest` for the event "pictures are taken". */
export const imageEventsRequest: Buffer = Buffer.from([0x08, 0x01])

function flag(tag: number, value: boolean | undefined): void {
  if (!value) return
  writer.integer(tag)
  writer.integer(1)
}
