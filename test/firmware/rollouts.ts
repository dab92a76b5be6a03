import { createClient, firmware } from '../../lib'
import { quick } from './firmware-bench'
import { pointsOf } from './points'

/** The work of one run in the test of killed rollouts. */
export interface RolloutJob {
  /** Addresses of the devices, in order. */
  addresses: string[]
  /** Folder of journals and backups. */
  folder: string
  source: string
  /** Whether a wave may begin. */
  approves: boolean
  stopAfter: number
}

/** How it ended on a device: its outcome, the code of its error, or that it was not begun. */
export type End = string

const atOnce = 2

/**
 * Begins or resumes the rollout.
 * @param reached called before and after each call, each write to its journal and each answer to an approval
 */
export async function rollOut(
  { addresses, folder, source, approves, stopAfter }: RolloutJob,
  reached: () => void,
): Promise<End[]> {
  const [journals, backups] = [`${folder}/journals`, `${folder}/backups`]
  const clients = addresses.map((address) => createClient({ address, deadline: 5000, random: () => 0 }))
  const kept = new firmware.RolloutJournal(journals)
  const journal = {
    read: (owner: string) => kept.read(owner),
    write: async (entry: firmware.RolloutEntry) => {
      reached()
      await kept.write(entry)
      reached()
    },
  }
  const { size, sha256 } = await firmware.artifactOf(source)
  const choices: firmware.Choices = {
    mode: 'update',
    expected: { size, sha256 },
    onUnhealthy: 'keep',
    onChanged: 'list',
    allowFallback: false,
  }
  const members = addresses.map((_, index) => ({ id: String(index), name: `device ${index}` }))
  const plan = { owner: 'test', members, atOnce, stopAfter, approval: true, choices, file: source }
  try {
    const last = await kept.read('test')
    if (last?.ended) return members.map(({ id }) => endOf(last.endings[id]))
    const rollout =
      (await firmware.Rollout.open(journal, 'test')) ?? (await firmware.Rollout.begin(journal, plan))
    const results = await rollout.run({
      signal: new AbortController().signal,
      approve: () => {
        reached()
        return approves
      },
      update: (member, job, patient) => {
        const client = clients[Number(member.id)]
        if (!client) throw new Error('no such device')
        return firmware.updateFirmware({
          ...choices,
          ...pointsOf(client, reached),
          source,
          journals,
          backups,
          timing: { ...quick, patience: 20, write: 2 },
          job,
          patient,
        }).done
      },
    })
    return results.map((result) =>
      result.state === 'done'
        ? result.result.outcome
        : result.state === 'failed'
          ? (result.error as { code: string }).code
          : 'skipped',
    )
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

const endOf = (ending: firmware.RolloutEnding | undefined): End =>
  ending === undefined ? 'skipped' : 'report' in ending ? ending.report.outcome : ending.failure.code
