/**
 * The datagrams by which GigE Vision devices are found (GVCP on UDP port 3956, numbers big-endian). In: bytes of
 * strangers, or what a device reports. Out: the device's identity, or bytes. Every text is trimmed to its field and has no
 * control characters.
 */

/** The port of the control protocol. */
export const discoveryPort = 3956

const commandKey = 0x42
const discovery = { command: 0x0002, reply: 0x0003 }
const flags = { replyRequired: 0x01, replyMayBeBroadcast: 0x10 }
const headerBytes = 8

/** Bytes of the reply behind its header. */
const replyBytes = 248

/** Offset and length of each field behind the header of a reply. */
const fields = {
  mac: [10, 6],
  address: [36, 4],
  mask: [52, 4],
  gateway: [68, 4],
  manufacturer: [72, 32],
  model: [104, 32],
  version: [136, 32],
  details: [168, 48],
  serial: [216, 16],
  name: [232, 16],
} as const

/** What a device reports of itself; a missing text is empty. */
export interface DeviceIdentity {
  /** `00:14:2d:01:02:03` */
  mac: string
  /** IPv4 address. */
  address: string
  mask: string
  gateway: string
  manufacturer: string
  model: string
  /** Version of the device. */
  version: string
  /** Free text of the manufacturer. */
  details: string
  serial: string
  /** Name that the user has given. */
  name: string
}

/** The request to report an identity. @param id 1 to 65535; the reply repeats it */
export function discoveryRequest(id: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes[0] = commandKey
  bytes[1] = flags.replyRequired | flags.replyMayBeBroadcast
  bytes.writeUInt16BE(discovery.command, 2)
  bytes.writeUInt16BE(id, 6)
  return bytes
}

/** A request to report an identity. */
export interface DiscoveryRequest {
  id: number
  /** A device of another subnet, which has no route to the sender, may answer by broadcast. */
  mayBroadcast: boolean
}

/** @returns undefined for any other datagram */
export function discoveryRequestIn(bytes: Buffer): DiscoveryRequest | undefined {
  const isRequest =
    bytes.length >= headerBytes &&
    bytes[0] === commandKey &&
    bytes.readUInt16BE(2) === discovery.command &&
    bytes.length === headerBytes + bytes.readUInt16BE(4)
  const id = isRequest ? bytes.readUInt16BE(6) : 0
  if (id === 0) return undefined
  return { id, mayBroadcast: ((bytes[1] ?? 0) & flags.replyMayBeBroadcast) !== 0 }
}

export function discoveryReply(identity: DeviceIdentity, id: number): Buffer {
  const bytes = Buffer.alloc(headerBytes + replyBytes)
  bytes.writeUInt16BE(discovery.reply, 2)
  bytes.writeUInt16BE(replyBytes, 4)
  bytes.writeUInt16BE(id, 6)
  const body = bytes.subarray(headerBytes)
  // Version 1.2 of the standard; big-endian, texts in UTF-8; an address from DHCP, which is in use.
  body.writeUInt16BE(1, 0)
  body.writeUInt16BE(2, 2)
  body.writeUInt32BE(0x8000_0001, 4)
  body.writeUInt32BE(0b111, 16)
  body.writeUInt32BE(0b010, 20)
  const put = (field: keyof typeof fields, value: Buffer) => {
    const [offset, length] = fields[field]
    value.copy(body, offset, 0, length)
  }
  put('mac', Buffer.from(identity.mac.split(':').map((part) => Number.parseInt(part, 16))))
  for (const field of ['address', 'mask', 'gateway'] as const)
    put(field, Buffer.from(identity[field].split('.').map(Number)))
  for (const field of texts) put(field, Buffer.from(identity[field]))
  return bytes
}

const texts = ['manufacturer', 'model', 'version', 'details', 'serial', 'name'] as const

/** Where the part that identifies a device ends; shorter replies are accepted up to there. */
const leastReply = fields.address[0] + fields.address[1]

/** The identity in a reply to the request with this id; undefined for any other datagram. */
export function identityIn(bytes: Buffer, id: number): DeviceIdentity | undefined {
  const isReply =
    bytes.length >= headerBytes + leastReply &&
    bytes.readUInt16BE(0) === 0 &&
    bytes.readUInt16BE(2) === discovery.reply &&
    bytes.readUInt16BE(6) === id
  if (!isReply) return undefined
  const body = bytes.subarray(headerBytes)
  const part = (field: keyof typeof fields) => {
    const [offset, length] = fields[field]
    return body.subarray(offset, offset + length)
  }
  const address = (field: 'address' | 'mask' | 'gateway') => [...part(field)].join('.')
  const text = (field: (typeof texts)[number]) => {
    const [whole = ''] = part(field).toString('utf8').split('\0', 1)
    // Control characters and marks that turn the direction of writing have no place in a name.
    return whole.replaceAll(/[\p{Cc}\p{Cf}\uFFFD]/gu, '').trim()
  }
  return {
    mac: [...part('mac')].map((byte) => byte.toString(16).padStart(2, '0')).join(':'),
    address: address('address'),
    mask: address('mask'),
    gateway: address('gateway'),
    manufacturer: text('manufacturer'),
    model: text('model'),
    version: text('version'),
    details: text('details'),
    serial: text('serial'),
    name: text('name'),
  }
}
