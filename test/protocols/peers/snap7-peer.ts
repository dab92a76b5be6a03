/** The parts of `node-snap7` that are used here. It is compiled where it is installed. */
import { installed } from './peer'

interface Snap7Item {
  Area: number
  WordLen: number
  DBNumber: number
  Start: number
  Amount: number
}

interface Snap7Client {
  RemotePort: number
  S7AreaDB: number
  S7AreaMK: number
  S7WLBit: number
  S7WLByte: number
  SetParam: (parameter: number, value: number) => boolean
  ConnectTo: (host: string, rack: number, slot: number, done: Done<undefined>) => void
  Disconnect: () => boolean
  DBRead: (block: number, start: number, size: number, done: Done<Buffer>) => void
  DBWrite: (block: number, start: number, size: number, bytes: Buffer, done: Done<undefined>) => void
  ReadArea: (
    ...args: [area: number, block: number, start: number, amount: number, length: number, Done<Buffer>]
  ) => void
  WriteArea: (
    ...args: [
      ...[area: number, block: number, start: number, amount: number, length: number],
      bytes: Buffer,
      done: Done<undefined>,
    ]
  ) => void
  ReadMultiVars: (items: Snap7Item[], done: Done<{ Result: number; Data: Buffer }[]>) => void
  GetOrderCode: (done: Done<{ Code: string }>) => void
  GetProtection: (done: Done<Record<string, number>>) => void
  ErrorText: (error: number) => string
}

export type Done<Value> = (error: number | null, value: Value) => void

interface Snap7Server {
  LocalPort: number
  srvAreaDB: number
  srvAreaMK: number
  SetResourceless: (isSo: boolean) => boolean
  SetParam: (parameter: number, value: number) => boolean
  RegisterArea: (area: number, ...rest: [number, Buffer] | [Buffer]) => boolean
  StartTo: (host: string, started: (error: number | null) => void) => void
  Stop: () => boolean
}

export const snap7 = installed('node-snap7') as {
  S7Client: new () => Snap7Client
  S7Server: new () => Snap7Server
}
