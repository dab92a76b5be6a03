import { Type, Value } from '../../lib/typebox'
import { receive } from '../requests/receive'
import { Refusal } from '../refusal'
import type { Handlers } from './handler'

/** A license file of the virtual device; the format is ours. */
const LicenseFile = Type.Object({
  license: Type.Literal('virtual-vision-device'),
  components: Type.Record(Type.String({ maxLength: 60 }), Type.Boolean()),
})
const longest = 64 * 1024

export const license = {
  getLicense: ({ scenario }) => ({ valid: true, components: { ...scenario.license } }),
  uploadLicense: async (device, { file }) => {
    const chunks: Buffer[] = []
    let length = 0
    await receive(file, (chunk) => {
      length += chunk.length
      if (length > longest) throw new Refusal(413, `a license file has at most ${longest} bytes`)
      chunks.push(chunk)
    })
    device.change({
      license: { ...device.system.license, ...componentsIn(Buffer.concat(chunks).toString()) },
    })
    device.note('INFO', 'license uploaded; a reboot activates it')
    return { message: 'license stored, a reboot activates it' }
  },
} satisfies Partial<Handlers>

function componentsIn(text: string): Record<string, boolean> {
  try {
    return Value.Decode(LicenseFile, JSON.parse(text)).components
  } catch (error) {
    throw new Refusal(
      400,
      `not a valid license (${error instanceof SyntaxError ? 'not JSON' : 'not a license file'})`,
    )
  }
}
