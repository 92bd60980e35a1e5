import { createHmac } from 'node:crypto';
import test from 'ava';
import {
  type Algorithm,
  algorithms,
  sign,
  signEmpty,
  TsigError,
  tsigOf,
  verify,
} from '../../../../integrations/rfc2136/tsig.ts';
import { cls, decodeMessage, encodeMessage, type Message, rcode, type } from '../../../../integrations/rfc2136/wire.ts';

const key = {
  name: 'op-key',
  algorithm: 'hmac-sha256',
  secret: Buffer.from('0123456789abcdef0123456789abcdef'),
} as const;
const time = 1_767_225_600;
const now = { time, fudge: 15 };

const aMessage = (change: Partial<Message> = {}): Buffer =>
  encodeMessage({
    id: 0x1234,
    opcode: 0,
    rcode: 0,
    response: false,
    authoritative: false,
    questions: [{ name: 'example.test', type: type.SOA, class: cls.IN }],
    answers: [],
    authority: [],
    additional: [],
    ...change,
  });

test('the MAC is the HMAC over message and variables, put together here by hand', (t) => {
  const message = aMessage();
  const variables = [
    '066f702d6b6579 00', // op-key
    '00ff 00000000', // class ANY, ttl 0
    '0b686d61632d736861323536 00', // hmac-sha256
    '00006955b900 000f', // time signed, fudge
    '0000 0000', // error, other
  ];
  const expected = createHmac('sha256', key.secret)
    .update(message)
    .update(Buffer.from(variables.join('').replaceAll(' ', ''), 'hex'))
    .digest('hex');
  t.is(sign(message, key, now).mac.toString('hex'), expected);
});

test('a known signature, computed with openssl, comes out byte by byte', (t) => {
  // openssl dgst -sha512 -mac HMAC -macopt hexkey:00112233445566778899aabbccddeeff over the same bytes
  const known = {
    name: 'K.Example',
    algorithm: 'hmac-sha512',
    secret: Buffer.from('00112233445566778899aabbccddeeff', 'hex'),
  } as const;
  const { mac } = sign(aMessage(), known, { time: 0x1_0000_0001, fudge: 300 });
  t.is(
    mac.toString('hex'),
    '4adae3eeccc6b659623912f4c725a11f5ec6870e8a4e5164d244c67a8eabb5f6b601f3807a008dea46db0c8c0247c45a25715dc7e976c8fab1eb51a042225867',
  );
});

for (const algorithm of Object.keys(algorithms) as Algorithm[])
  test(`a message signed with ${algorithm} verifies, and not with another secret`, (t) => {
    const ours = { ...key, algorithm };
    const { bytes } = sign(aMessage(), ours, now);
    t.is(verify(bytes, ours, { now: time }).keyName, 'op-key');
    t.throws(() => verify(bytes, { ...ours, secret: Buffer.from('other') }, { now: time }), {
      instanceOf: TsigError,
      message: 'the signature does not hold',
    });
  });

test('no bit of a signed message can be turned unnoticed, but in its id and the case of the names of key and algorithm', (t) => {
  const { bytes } = sign(aMessage(), key, now);
  const ignored = (forged: Buffer): string =>
    forged
      .toString('latin1')
      .slice(2)
      .replace(/op-key|hmac-sha256/gi, (name) => name.toLowerCase());
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const forged = Buffer.from(bytes);
    forged[bit >> 3]! ^= 1 << (bit & 7);
    if (ignored(forged) === ignored(bytes)) t.notThrows(() => verify(forged, key, { now: time }), `bit ${bit}`);
    else t.throws(() => verify(forged, key, { now: time }), undefined, `bit ${bit}`);
  }
});

test('an answer is bound to the request it answers', (t) => {
  const request = sign(aMessage(), key, now);
  const answer = sign(aMessage({ response: true }), key, { ...now, requestMac: request.mac });
  t.is(verify(answer.bytes, key, { now: time, requestMac: request.mac }).error, 0);
  const other = sign(aMessage({ id: 7 }), key, now);
  t.throws(() => verify(answer.bytes, key, { now: time, requestMac: other.mac }), {
    message: 'the signature does not hold',
  });
  t.throws(() => verify(answer.bytes, key, { now: time }), { message: 'the signature does not hold' });
});

test('the id that a forwarder has changed is put back before verifying', (t) => {
  const { bytes } = sign(aMessage(), key, now);
  bytes.writeUInt16BE(0x4321, 0);
  t.is(verify(bytes, key, { now: time }).originalId, 0x1234);
});

test('key names compare without case', (t) => {
  const { bytes } = sign(aMessage(), { ...key, name: 'OP-Key' }, now);
  t.notThrows(() => verify(bytes, key, { now: time }));
});

test('an unsigned message is refused, saying what it claimed', (t) => {
  t.throws(() => verify(aMessage({ rcode: rcode.REFUSED }), key, { now: time }), { message: 'an unsigned REFUSED' });
});

test('a signature by another key is refused by name', (t) => {
  const { bytes } = sign(aMessage(), { ...key, name: 'other' }, now);
  t.throws(() => verify(bytes, key, { now: time }), { message: /signed with other \(hmac-sha256\), not with op-key/ });
});

test('a message signed longer ago than the fudge is refused, one within it is not', (t) => {
  const { bytes } = sign(aMessage(), key, now);
  t.notThrows(() => verify(bytes, key, { now: time + 15 }));
  t.throws(() => verify(bytes, key, { now: time + 16 }), { message: /signed 16 s ago/ });
});

test('a signed BADTIME verifies whatever the time, and brings the other clock', (t) => {
  const other = Buffer.from('000000000010', 'hex');
  const { bytes } = sign(aMessage({ rcode: rcode.NOTAUTH }), key, { ...now, error: rcode.BADTIME, other });
  const tsig = verify(bytes, key, { now: time + 4000 });
  t.is(tsig.error, rcode.BADTIME);
  t.deepEqual(tsig.other, other);
});

test('an empty MAC says why and verifies never', (t) => {
  const signature = {
    keyName: 'op-key',
    algorithm: 'hmac-sha256',
    ...now,
    error: rcode.BADKEY,
    other: Buffer.alloc(0),
  };
  const bytes = signEmpty(aMessage({ rcode: rcode.NOTAUTH, response: true }), signature);
  t.is(tsigOf(decodeMessage(bytes))?.error, rcode.BADKEY);
  t.throws(() => verify(bytes, key, { now: time }), { instanceOf: TsigError });
});

test('a TSIG record that is cut short is refused, not read past its end', (t) => {
  for (let length = 1; length < 24; length += 1) {
    const data = Buffer.concat([Buffer.from([0]), Buffer.alloc(length, 9)]);
    const record = { name: 'op-key', type: type.TSIG, class: cls.ANY, ttl: 0, data };
    t.throws(() => verify(aMessage({ additional: [record] }), key, { now: time }), { instanceOf: TsigError });
  }
});
