import type { OpenMap } from '../data'
import { pollPlc, type PolledPlcOptions, type PolledWords } from '../modbus'
import type { PlcPort, PortEvents } from './port'

const kept: Record<PolledWords['own'], boolean | undefined> = {
  written: true,
  zero: false,
  different: false,
  unknown: undefined,
}

/**
 * This computer connects to the PLC, polls its words and writes those of the cell. The cell's own are read back with each
 * poll: a PLC that has lost its memory shows by them.
 * @throws PlcError for a setting
 */
export function openClientPort(
  options: Omit<PolledPlcOptions, 'reads'>,
  map: OpenMap,
  { onLink, onSample, onTrouble }: PortEvents,
): PlcPort {
  const plc = pollPlc(
    { ...options, reads: map.reads },
    {
      onUp: () => onLink(true),
      onDown: (reason) => onLink(false, reason),
      onNotice: onTrouble,
      onSample: (words) =>
        onSample(
          map.readWords((area, address) => words.value(area, address)),
          kept[words.own],
        ),
      onFault: onTrouble,
    },
  )
  return {
    write: (says, all) => {
      if (all) plc.forget()
      return plc.write(map.words(says))
    },
    isPolled: true,
    isOwn: false,
    get figures() {
      const { measured, responseTime } = plc
      return { poll: measured, ...(responseTime !== undefined && { responseTime }) }
    },
    close: () => plc.close(),
  }
}
