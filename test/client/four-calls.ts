import { isVisionError } from '../../lib/client/vision-error'
import { createClient } from '../../lib'

/**
 * A program that makes as many calls at a time as a client does, again and again until one is answered, and reports how
 * each ended and the most memory that it took.
 */
const [address = ''] = process.argv.slice(2)
const client = createClient({ address, deadline: 600_000, retries: 0 })

async function end(): Promise<string> {
  try {
    await client.getNodeStatus({ pipeline: '0', node: 'dev_camera' })
    return 'answered'
  } catch (error) {
    return isVisionError(error) ? error.code : String(error)
  }
}

void (async () => {
  let ends: string[]
  do {
    ends = await Promise.all([end(), end(), end(), end()])
    process.send?.({ ends, megabytes: process.resourceUsage().maxRSS / 1024 })
  } while (!ends.includes('answered'))
  await client.close()
  process.disconnect()
})()
