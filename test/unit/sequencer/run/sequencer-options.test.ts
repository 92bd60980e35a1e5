import test from 'ava';
import type { Client } from '../../../../sdk/index.ts';
import { checkSequencerOptions } from '../../../../sequencer/run/sequencer-options.ts';

const none = () => undefined;
const client = { get: none, create: none, watch: none } as unknown as Client;
const check = (options: unknown): void => checkSequencerOptions(options as never);

for (const [options, message] of [
  [undefined, 'options must be an object { client, integrations }; found undefined'],
  [[], 'options must be an object { client, integrations }; found an array of 0'],
  [{ integrations: [] }, 'client must be a client of createClient, with get, create, watch; found undefined'],
  [{ client: 'http://x', integrations: [] }, /client must be .*; found "http:\/\/x"/],
  [{ client: Promise.resolve(client), integrations: [] }, /client must be .*; found a Promise/],
  [{ client }, 'integrations must be an array of integrations; found undefined'],
  [{ client, integrations: () => [] }, 'integrations must be an array of integrations; found a function'],
] as const)
  test(`options are refused: ${message}`, (t) => {
    const expected = typeof message === 'string' ? `createSequencer: ${message}` : message;
    t.throws(() => check(options), { instanceOf: TypeError, message: expected });
  });

for (const [option, message] of [
  [{ worker: 3 }, /^createSequencer: worker is no option; known are client, .*; did you mean workers\?$/],
  [{ namespace: ['a'] }, /^createSequencer: namespace must be a text; found an array of 1$/],
  [{ className: 5 }, /className must be a text; found 5/],
  [{ selector: { team: 'a' } }, /selector must be a label selector as text, such as 'team=a'; found {"team":"a"}/],
  [{ shard: 'a' }, /shard must be an object { ring, name } of two texts; found "a"/],
  [{ times: 15 }, /times must be an object of times in ms, such as { lease: 30_000 }; found 15/],
  [{ times: { leese: 15_000 } }, /times\.leese is no option; .*; did you mean times\.lease\?$/],
  [{ times: { lease: '15s' } }, /times\.lease must be a number of ms; found "15s"/],
  [{ times: { lease: 30 } }, /times\.lease must be at least 100 ms; found 30: it is in ms, not in seconds$/],
  [{ retry: 5 }, /retry must be a function \(error, attempt\) => ms, such as exponentialBackoff\(\) returns; found 5/],
  [{ orphan: 'acme' }, /orphan must be an array of names of integrations; found "acme"/],
  [{ holder: '' }, /holder must be a text that is not empty; found ""/],
  [{ events: () => {} }, /events must be a sink of events, with event; found a function/],
  [{ observer: 'x' }, /observer must be an object of functions; found "x"/],
  [{ operatorNamespace: 5 }, /operatorNamespace must be a text; found 5/],
  [{ seal: 'key' }, /seal must be a seal, such as createSeal returns; found "key"/],
  [{ secrets: ['a'] }, /secrets must be a SecretRegistry, with add; found an array of 1/],
  [{ clock: Date }, /clock must be a clock, with now, monotonic, sleep, after; found a function/],
  [{ random: 0.5 }, /random must be a function \(\) => number from 0 to 1; found 0.5/],
  [{ logger: 'info' }, /logger must be a logger of pino, with child, info; found "info"/],
] as const)
  test(`an option is refused: ${message}`, (t) => {
    t.throws(() => check({ client, integrations: [], ...option }), { instanceOf: TypeError, message });
  });

test('right options pass, also where they are undefined', (t) => {
  t.notThrows(() => check({ client, integrations: [], namespace: undefined, times: { lease: 500 }, orphan: [] }));
});
