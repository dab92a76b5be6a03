import type { BenchRow } from './row'
import { besideRows } from './support/images-beside'
import { pictureRows } from './support/picture-rows'
import { receivingRows } from './support/image-receiving'
import { triggerRows } from './support/trigger-to-picture'

/**
 * Goals: receiving at half the processor time of `@grpc/grpc-js`; a flow at 0.9 of the sets of the client; pixels of at most
 * three sets in memory; trigger to picture within 15 ms beyond the device; a PNG of 1.3 megapixels in 25 ms, holding the event
 * loop for 5 ms; REST and streams as without images, and as without the device's page. Takes eighteen minutes.
 */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const bytes of [300_000, 2_150_000, 12_000_000]) rows.push(...(await receivingRows(bytes)))
  return [...rows, ...(await pictureRows()), ...(await triggerRows()), ...(await besideRows())]
}
