/** Encodes and decodes WebSocket frames. */

const opcodes = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const finBit = 0x80;
const maskBit = 0x80;
const maxControlPayload = 125;

/** Encodes an unmasked frame, as servers send them. */
export function frameOf(kind: keyof typeof opcodes, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = finBit | opcodes[kind];
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  else if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** Encodes a close frame with a status code. */
export const closeFrame = (code: number): Buffer => frameOf('close', Buffer.from([code >> 8, code & 0xff]));

/** Server's reaction to a client's control frame or error; messages cause none. */
export type Reaction = { readonly pong: Buffer } | 'leave' | 'protocol error';

interface FrameHead {
  readonly opcode: number;
  readonly mask: Buffer;
  /** Length of the head and of the payload, in bytes. */
  readonly size: number;
  readonly length: number;
}

/** Parses a frame's head; returns undefined while bytes are missing. */
function headOf(bytes: Buffer): FrameHead | 'protocol error' | undefined {
  if (bytes.length < 2) return undefined;
  if ((bytes[1]! & maskBit) === 0) return 'protocol error';
  const short = bytes[1]! & 0x7f;
  const size = { 126: 4, 127: 10 }[short] ?? 2;
  if (bytes.length < size + 4) return undefined;
  const length = size === 2 ? short : size === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const opcode = bytes[0]! & 0x0f;
  if (opcode >= opcodes.close && length > maxControlPayload) return 'protocol error';
  return { opcode, mask: bytes.subarray(size, size + 4), size: size + 4, length };
}

/** Creates a reader of client frames from chunks; payloads of messages are skipped, never kept. */
export function createFrameReader(): (chunk: Buffer) => readonly Reaction[] {
  let rest: Buffer = Buffer.alloc(0);
  let skipped = 0;
  const next = (): Reaction | 'nothing' | undefined => {
    const passed = Math.min(skipped, rest.length);
    rest = rest.subarray(passed);
    skipped -= passed;
    const head = skipped > 0 ? undefined : headOf(rest);
    if (head === undefined || head === 'protocol error') return head;
    const { opcode, mask, size, length } = head;
    if (opcode < opcodes.close) {
      rest = rest.subarray(size);
      skipped = length;
      return 'nothing';
    }
    if (rest.length < size + length) return undefined;
    const payload = Buffer.from(rest.subarray(size, size + length).map((byte, index) => byte ^ mask[index % 4]!));
    rest = rest.subarray(size + length);
    if (opcode === opcodes.ping) return { pong: frameOf('pong', payload) };
    return opcode === opcodes.close ? 'leave' : 'nothing';
  };
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const reactions: Reaction[] = [];
    for (let one = next(); one !== undefined; one = next()) {
      if (one !== 'nothing') reactions.push(one);
      if (one === 'leave' || one === 'protocol error') break;
    }
    return reactions;
  };
}
