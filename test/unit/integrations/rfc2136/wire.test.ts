import test from 'ava';
import fc from 'fast-check';
import { decodeName, encodeName, WireError } from '../../../../integrations/rfc2136/names.ts';
import {
  cls,
  decodeMessage,
  encodeMessage,
  type Message,
  opcode,
  rcodeName,
  type,
} from '../../../../integrations/rfc2136/wire.ts';

const escaped = (label: Uint8Array): string => [...label].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('');
const aLabel = fc.uint8Array({ minLength: 1, maxLength: 63 });
const aName = fc.array(aLabel, { maxLength: 3 }).map((labels) => labels.map(escaped).join('.'));
const aQuestion = fc.record({
  name: aName,
  type: fc.constantFrom(...Object.values(type)),
  class: fc.constantFrom(...Object.values(cls)),
});
const opaque = [type.A, type.TXT, type.AAAA, type.ANY];
const aRecord = fc.record({
  name: aName,
  type: fc.constantFrom(...opaque),
  class: fc.constantFrom(...Object.values(cls)),
  ttl: fc.nat(),
  data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});
const aSection = fc.array(aRecord, { maxLength: 4 });
const aMessage: fc.Arbitrary<Message> = fc.record({
  id: fc.nat(0xffff),
  opcode: fc.constantFrom(...Object.values(opcode)),
  rcode: fc.nat(15),
  response: fc.boolean(),
  authoritative: fc.boolean(),
  questions: fc.array(aQuestion, { maxLength: 2 }),
  answers: aSection,
  authority: aSection,
  additional: aSection,
});

/** Name in canonical spelling: escapes only where needed. */
const canonical = (name: string): string => decodeName(encodeName(name), 0).name;
const named = <T extends { readonly name: string }>(records: readonly T[]): readonly T[] =>
  records.map((record) => ({ ...record, name: canonical(record.name) }));

test('any message is read back as it was written', (t) => {
  fc.assert(
    fc.property(aMessage, (message) => {
      const { lastRecordAt, ...read } = decodeMessage(encodeMessage(message));
      t.deepEqual(read, {
        ...message,
        questions: named(message.questions),
        answers: named(message.answers),
        authority: named(message.authority),
        additional: named(message.additional),
      });
      t.true(lastRecordAt >= 12);
    }),
  );
});

test('any bytes are a message or a WireError, never another failure', (t) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }).map((some) => Buffer.from(some)),
    fc.tuple(aMessage, fc.nat(400), fc.nat(255)).map(([message, at, byte]) => {
      const broken = encodeMessage(message);
      broken[at % broken.length] = byte;
      return broken;
    }),
  );
  fc.assert(
    fc.property(bytes, (some) => {
      try {
        decodeMessage(some);
      } catch (error) {
        t.true(error instanceof WireError, String(error));
      }
    }),
  );
  t.pass();
});

test('an update is laid out as RFC 2136 says', (t) => {
  const bytes = encodeMessage({
    id: 0x1234,
    opcode: opcode.UPDATE,
    rcode: 0,
    response: false,
    authoritative: false,
    questions: [{ name: 'example.test', type: type.SOA, class: cls.IN }],
    answers: [{ name: 'a.example.test', type: type.ANY, class: cls.NONE, ttl: 0, data: Buffer.alloc(0) }],
    authority: [{ name: 'a.example.test', type: type.A, class: cls.IN, ttl: 60, data: Buffer.from([192, 0, 2, 1]) }],
    additional: [],
  });
  const zone = '076578616d706c650474657374 00';
  const expected = [
    '1234 2800 0001 0001 0001 0000',
    `${zone} 0006 0001`,
    `0161 ${zone} 00ff 00fe 00000000 0000`,
    `0161 ${zone} 0001 0001 0000003c 0004 c0000201`,
  ];
  t.is(bytes.toString('hex'), expected.join('').replaceAll(' ', ''));
});

test('names compressed inside the data of a record come out whole', (t) => {
  const question = { name: 'a.test', type: type.CNAME, class: cls.IN };
  const empty = { id: 1, opcode: 0, rcode: 0, response: true, authoritative: true, authority: [], additional: [] };
  const bytes = encodeMessage({
    ...empty,
    questions: [question],
    answers: [{ ...question, ttl: 1, data: Buffer.alloc(4) }],
  });
  bytes.set([1, 0x62, 0xc0, 14], bytes.length - 4);
  t.deepEqual(decodeMessage(bytes).answers[0]!.data, encodeName('b.test'));
});

test('answers have names', (t) => {
  t.is(rcodeName(9), 'NOTAUTH');
  t.is(rcodeName(14), 'RCODE 14');
});
