import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import should from 'should'
import { findGrid, gridPattern } from '../../lib/images/grid'
import { readPng } from '../images/support/read-png'
import { newProfile } from '../support/browser'
import { root } from '../support/root'

const sheet = join(root, 'docs', 'calibration-grid.svg')
/** Pixels of a millimetre, by which a browser shows the sheet twice as large as it is on the screen. */
const scale = 2
const pixels = (scale * 96) / 25.4

describe('the sheet with the calibration grid', () => {
  it('is that of the pattern that is looked for', () =>
    promisify(execFile)(process.execPath, [join(root, 'scripts', 'grid-page.mjs'), '--check']))

  it('is a page of A4', () => {
    should(readFileSync(sheet, 'utf8')).match(/width="297mm" height="210mm" viewBox="0 0 297 210"/)
  })

  it('is found by what looks for grids, in the size that it should have', async () => {
    const profile = await newProfile({ deviceScaleFactor: scale, viewport: { width: 1124, height: 796 } })
    if (!profile) throw new Error('Chromium is missing.')
    const page = await profile.newPage()
    await page.goto(`file://${sheet}`)
    const { width, height, channels, values } = readPng(await page.screenshot())
    await profile.close()
    const data = Uint8Array.from({ length: width * height }, (_, at) => values[at * channels] ?? 0)
    // A camera with this focal length sees a millimetre so large from one metre away.
    const camera = { focalLength: 1000 * pixels, principalPoint: { u: width / 2, v: height / 2 } }
    const seen = await findGrid(
      { width, height, encoding: 'mono8', data, ...camera },
      gridPattern(0.26, 0.18),
    )
    if (!seen.found) throw new Error(seen.reason)
    should(seen.pose.position.z).be.approximately(1, 0.001)
  }).timeout(60_000)
})
