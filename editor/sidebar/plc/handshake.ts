import type { DurationSummary } from '../../../lib/plc/cell/durations'
import type { HandshakeSnapshot } from '../../../nodes/plc/handshake-snapshot'
import { factsOf } from '../../plc/facts'
import { numberText, timeText } from '../../plc/phase-text'
import { barsOf, timesText } from '../../plc/times'
import { request } from '../../request'
import type { TreeBranch, TreeEntry } from '../tree/entry'
import { told } from './told'

/** Seconds between two looks at an open handshake. Only this Node-RED is asked; its PLC notices nothing. */
const every = 2

/** Connection, counters, last code, poll interval and times of a handshake, by its configuration node. */
export const handshakeBranch = ({ id }: EditorNode): TreeBranch => ({
  every,
  load: async () => {
    const snapshot = (await request(
      'GET',
      `vision-devices/plc/${encodeURIComponent(id)}`,
    )) as HandshakeSnapshot
    const { reactions, cycles } = snapshot
    return [
      ...factsOf(snapshot, told).map(([key, label, value]): TreeEntry => ({
        key,
        label,
        value,
        tone: 'quiet',
      })),
      ...histogram('reaction', reactions),
      ...histogram('cycle', cycles),
    ]
  },
})

const histogram = (key: 'reaction' | 'cycle', summary: DurationSummary | undefined): TreeEntry[] =>
  summary === undefined
    ? []
    : [
        {
          key,
          label: told(key),
          value: told('short', { p50: timeText(summary.p50), p99: timeText(summary.p99) }),
          description: `${told(`${key}s`)}\n${timesText(summary, told)}`,
          tone: 'quiet',
          icon: 'bar-chart',
          isOpen: true,
          branch: {
            every,
            load: () =>
              Promise.resolve(
                barsOf(summary)
                  .filter(({ count }) => count > 0)
                  .map(bar),
              ),
          },
        },
      ]

const bar = ({ end, count, part }: ReturnType<typeof barsOf>[number]): TreeEntry => ({
  key: end,
  label: end === '…' ? told('longer') : `≤ ${/\d$/.test(end) ? `${end} ms` : end}`,
  value: numberText(count),
  tone: 'quiet',
  part,
})
