import { deviceApi } from '../device-api'
import { presence } from '../picks/offers'
import { sharedText } from '../dialog'
import { type NameUse, usesOf } from './uses'
import type { TreeEntry } from './row'

/** Milliseconds between two comparisons of flows and device, while the device is open. */
const every = 5000

interface Finding {
  /** Unknown until the first comparison is complete. */
  lacking: readonly NameUse[] | undefined
  /** The present or last comparison, and the time of its end, ms. */
  comparison: Promise<void>
  ended: number
}

/** Keyed by the node of the device, because other flows may have a different one with the same id. */
const findings = new WeakMap<EditorNode, Finding>()

/** The names that the flows use but the device lacks. Calls `again` when they are known. */
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
    problem: sharedText('pick.missing', { names: [...new Set(lacking.map(({ name }) => name))].join(', ') }),
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

/** Compares if the last comparison is out of date; only somebody looking at the details waits for it. */
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

/** Never rejects: what a device does not report is not counted as missing. */
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
  // If the pipeline is missing, so is everything in it.
  const inMissing = ({ node, instance }: NameUse) =>
    lacking.some(
      (other) => other.node.id === node.id && other.instance === instance && other.kind === 'pipeline',
    )
  return lacking.filter((use) => use.kind === 'pipeline' || !inMissing(use))
}
