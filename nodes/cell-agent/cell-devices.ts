import type { Node, NodeAPI } from 'node-red'
import type { Device } from '../device/device'
import { addressOf, deployedDevices } from '../device-config/deployed-device'
import type { LinkState } from '../shared/status'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('cell-agent')

/** A device of the cell. */
export interface CellDevice {
  name: string
  device: Device
  /** As it may be shown. */
  address: string
  /** Since when the link is as it is, ISO 8601. */
  since: string
  leave: () => void
}

/** The devices of this Node-RED that the agent tells of. */
export class CellDevices {
  readonly #RED: NodeAPI
  readonly #node: Node
  readonly #chosen: readonly string[]
  readonly #changed: (name: string, state: LinkState) => void
  #devices = new Map<string, CellDevice>()

  /** @param chosen names; none: all */
  constructor(
    RED: NodeAPI,
    node: Node,
    chosen: readonly string[],
    changed: (name: string, state: LinkState) => void,
  ) {
    this.#RED = RED
    this.#node = node
    this.#chosen = chosen
    this.#changed = changed
  }

  /** Joins the devices that are deployed now; those that stay keep their place. */
  join(): void {
    this.leave()
    for (const [id, config] of deployedDevices(this.#RED)) {
      const plain = config.name ?? ''
      const address = addressOf(this.#RED, config)
      if (this.#chosen.length > 0 && !this.#chosen.includes(plain)) continue
      const name = unused(this.#devices, (plain || address || id).slice(0, 180), id)
      const { device } = config
      const entry: CellDevice = { name, device, address, since: now(), leave: () => undefined }
      this.#devices.set(name, entry)
      entry.leave = device.join(this.#node, (state) => {
        entry.since = now()
        this.#changed(name, state)
      })
    }
  }

  /** Before the devices close: they wait for their nodes. */
  leave(): void {
    for (const { leave } of this.#devices.values()) leave()
    this.#devices = new Map()
  }

  get all(): CellDevice[] {
    return [...this.#devices.values()]
  }

  find(name: string): CellDevice | undefined {
    return this.#devices.get(name)
  }

  /** The device that a command names; the only one, where it names none. @throws INVALID_INPUT */
  named(name: string | undefined): CellDevice {
    const { all } = this
    const found = name === undefined && all.length === 1 ? all[0] : this.#devices.get(name ?? '')
    if (!found)
      throw invalidInput('cell-no-device', {
        device: name ?? '',
        known: all.map((each) => each.name).join(', '),
      })
    return found
  }
}

const now = () => new Date().toISOString()

/** Two configurations may have the same name. */
const unused = (known: ReadonlyMap<string, unknown>, name: string, id: string) =>
  known.has(name) ? `${name} ${id}` : name
