import should from 'should'
import { eventually } from './eventually'
import type { FlowNode, RunningExample } from './example'

/** Nodes of packages that the user installs. */
interface Foreign {
  /** Types that read and write the PLC. */
  reader: string
  writer: string
  /** Of the reader. @default 0 */
  output?: number
  types: readonly string[]
}

/** Without foreign nodes: the reader sends what is posted to `/said`; the writer's input is at `/written`. */
export const stoodIn =
  ({ reader, writer, types, output = 0 }: Foreign) =>
  (nodes: FlowNode[]): FlowNode[] => {
    const z = String(nodes.find(({ type }) => type === 'tab')?.id)
    const readers = nodes.filter(({ type }) => type === reader)
    const wires = readers[0]?.['wires'] as string[][]
    const func = (id: string, code: string, to: string[]) =>
      ({ id, z, type: 'function', func: code, outputs: 1, x: 0, y: 0, wires: [to] }) as FlowNode
    const list = 'flow.set("written", [...(flow.get("written") ?? []), { ...msg, _msgid: undefined }])'
    return [
      ...nodes
        .filter(({ type }) => !types.includes(type))
        .map((node) => (node.type === 'status' ? { ...node, scope: [z] } : node)),
      ...nodes.filter(({ type }) => type === writer).map(({ id }) => func(id, list, [])),
      { id: 'said', z, type: 'http in', url: '/said', method: 'post', x: 0, y: 0, wires: [['say', 'ok']] },
      func('say', 'return msg.payload', wires[output] ?? []),
      { id: 'asked', z, type: 'http in', url: '/written', method: 'get', x: 0, y: 0, wires: [['tell']] },
      func('tell', 'msg.payload = flow.get("written") ?? []\nflow.set("written", [])\nreturn msg', ['ok']),
      { id: 'ok', z, type: 'http response', statusCode: '200', x: 0, y: 0, wires: [] },
    ] as FlowNode[]
  }

/** As shown by a protocol's nodes. */
export interface PlcOfMessages {
  /** From the writer. */
  take: (message: Record<string, unknown>) => void
  /** To the reader. */
  messages: () => object[]
  set: (name: string, value: number) => void
  get: (name: string) => unknown
}

/** Sequence number with echo: one request and its answer. */
export async function asksForAPose(example: RunningExample, plc: PlcOfMessages): Promise<void> {
  const { url } = example.red
  const turn = async () => {
    for (const message of plc.messages())
      await fetch(`${url}/said`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      })
    const written = (await (await fetch(`${url}/written`)).json()) as Record<string, unknown>[]
    for (const message of written) plc.take(message)
  }
  const until = (check: () => void) =>
    eventually(async () => {
      await turn()
      check()
    })
  plc.set('sequence', 0)
  await until(() => void should(plc.get('ready')).be.true())
  plc.set('sequence', 1)
  await until(() => void should({ echo: plc.get('echo'), code: plc.get('code') }).eql({ echo: 1, code: 0 }))
  should(plc.get('done')).be.true()
  should(plc.get('counter')).equal(1)
  should(plc.get('pose1_3')).be.a.Number().and.above(100)
}

/** Bits of `state`, in the order of the family. */
export const bitOfState = (word: unknown, name: string): boolean =>
  (Number(word) & (1 << ['ready', 'busy', 'done', 'error'].indexOf(name))) !== 0
