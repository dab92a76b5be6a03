import { deviceApi } from '../../device-api'
import { presence } from '../../picks/presence'
import { sharedText } from '../../shared-text'
import { usesOf, type NameUse } from '../flow/uses'
import type { TreeEntry } from '../tree/entry'

/** Milliseconds from one comparison of flows and device to the next, while the device is open. */
const every = 5000

interface Finding {
  /** Unknown until the first comparison has ended. */
  lacking: readonly NameUse[] | undefined
  /** The comparison that is under way or was the last one, and when it ended, ms. */
  comparison: Promise<void>
  ended: number
}

/** By the node of the device, as other flows may have another one by the same id. */
const findings = new WeakMap<EditorNode, Finding>()

/** What the flows use but the device lacks. `again` is called when that is known. */
export function missing(device: EditorNode, again: () => void): TreeEntry {
  const { lacking, comparison } = compared(device)
  const key = 'missing'
  if (!lacking) {
    void comparison.then(again)
    return { key, label: sharedText('sidebar.comparing'), icon: 'hourglass-half', tone: 'quiet' }
  }
  const count = lacking.length
  if (!count)
    return {
      key,
      label: sharedText('sidebar.complete'),
      description: sharedText('sidebar.nothingMissing'),
      icon: 'check',
      tone: 'quiet',
    }
  return {
    key,
    label: sharedText('sidebar.missing'),
    value: String(count),
    icon: 'exclamation-triangle',
    tone: 'bad',
    branch: {
      every: 1,
      load: async () => {
        await comparison
        return (findings.get(device)?.lacking ?? []).map(entry)
      },
    },
  }
}

const entry = ({ node, instance, kind, name, place }: NameUse): TreeEntry => ({
  key: `${instance?.id ?? ''} ${node.id} ${kind} ${place.node} ${name}`,
  label: name,
  about: sharedText(`sidebar.kind.${kind}`),
  value: [instance, node].flatMap((each) => (each ? labelOf(each) : [])).join(' › '),
  description: sharedText('sidebar.showNode'),
  icon: 'exclamation-triangle',
  tone: 'bad',
  act: { name: sharedText('sidebar.showNode'), run: () => RED.view.reveal(node.id) },
})

const labelOf = (node: EditorNode) => RED.utils.getNodeLabel(node as never, node.type)

/** Compares where that is some time ago; nobody waits for it but those who look at the details. */
function compared(device: EditorNode): Finding {
  const last = findings.get(device)
  if (last && Date.now() - last.ended < every) return last
  const finding: Finding = { lacking: last?.lacking, ended: Infinity, comparison: Promise.resolve() }
  finding.comparison = lackingOn(device.id).then((lacking) => {
    finding.lacking = lacking
    finding.ended = Date.now()
  })
  findings.set(device, finding)
  return finding
}

/** Never rejects: what a device does not tell is not missing. */
async function lackingOn(device: string): Promise<NameUse[]> {
  const api = deviceApi(device)
  api.forget()
  const looked = await Promise.all(
    usesOf(device).map(async (use) => ({
      use,
      ...(await presence(api, use.kind, use.place, use.name)),
    })),
  )
  const lacking = looked.filter(({ is }) => is === 'missing').map(({ use }) => use)
  // Where the pipeline is missing, so is all that lies in it.
  const inMissing = ({ node, instance }: NameUse) =>
    lacking.some(
      (other) => other.node.id === node.id && other.instance === instance && other.kind === 'pipeline',
    )
  return lacking.filter((use) => use.kind === 'pipeline' || !inMissing(use))
}
