import type { BenchRow } from './row'
import { besideRows } from './support/images-beside'
import { pictureRows } from './support/picture-rows'
import { receivingRows } from './support/image-receiving'
import { triggerRows } from './support/trigger-to-picture'

/**
 * Goals: receiving costs at most half the processor time of `@grpc/grpc-js`; a flow takes at least 0.9 of the sets of the
 * client alone; pixels of at most three sets in memory; from the trigger to the picture in the flow at most 15 ms beyond
 * the device's own time with the stream open; a PNG of 1.3 megapixels in 25 ms, which holds the event loop for 5 ms at most;
 * REST and streams as without images, and as without the page of the device. It takes eighteen minutes.
 */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const bytes of [300_000, 2_150_000, 12_000_000]) rows.push(...(await receivingRows(bytes)))
  return [...rows, ...(await pictureRows()), ...(await triggerRows()), ...(await besideRows())]
}
