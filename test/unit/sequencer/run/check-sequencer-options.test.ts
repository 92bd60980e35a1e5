import test from 'ava';
import type { Client } from '../../../../sdk/index.ts';
import { checkSequencerOptions } from '../../../../sequencer/run/check-sequencer-options.ts';

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
  [{ worker: 3 }, /^createSequencer: worker is not an option; known are client, .*; did you mean workers\?$/],
  [{ namespace: ['a'] }, /^createSequencer: namespace must be a text; found an array of 1$/],
  [{ className: 5 }, /className must be a text; found 5/],
  [{ selector: { team: 'a' } }, /selector must be a label selector as text, such as 'team=a'; found {"team":"a"}/],
  [
    { selector: 'tier in (gold' },
    /selector must be a label selector as text, such as 'team=a'; found "tier in \(gold"/,
  ],
  [{ shard: 'a' }, /shard must be an object { ring, name } of two texts; found "a"/],
  [{ times: 15 }, /times must be an object of times in ms, such as { lease: 30_000 }; found 15/],
  [{ times: { leese: 15_000 } }, /times\.leese is not an option; .*; did you mean times\.lease\?$/],
  [{ times: { lease: '15s' } }, /times\.lease must be a number of ms from 100 to 3600000; found "15s"/],
  [
    { times: { lease: 30 } },
    /times\.lease must be a number of ms from 100 to 3600000; found 30: it is in ms, not in seconds$/,
  ],
  [{ times: { lease: -1 } }, /times\.lease must be a number of ms from 100 to 3600000; found -1$/],
  [{ times: { lease: 7_200_000 } }, /times\.lease must be a number of ms from 100 to 3600000; found 7200000$/],
  [{ times: { lease: Number.NaN } }, /times\.lease must be a number of ms from 100 to 3600000; found NaN$/],
  [
    { times: { lease: 1_000, margin: 1_000 } },
    /times\.margin must be a number of ms from 100 and below the lease \(1000 ms\); found 1000$/,
  ],
  [
    { times: { margin: 0 } },
    /times\.margin must be a number of ms from 100 and below the lease \(30000 ms\); found 0$/,
  ],
  [{ times: { margin: 5 } }, /times\.margin must be .* found 5: it is in ms, not in seconds$/],
  [{ times: { lease: 200, margin: 39 } }, /times\.margin must be a number of ms from 40 and below .*; found 39/],
  [
    { times: { maxRequest: Number.NaN } },
    /times\.maxRequest must be a number of ms that is 0, or from 100; found NaN$/,
  ],
  [{ times: { maxRequest: '15s' } }, /times\.maxRequest must be a number of ms that is 0, or from 100; found "15s"$/],
  [{ times: { maxRequest: 15 } }, /times\.maxRequest must be .* from 100; found 15: it is in ms, not in seconds$/],
  [
    { times: { attempt: 60 } },
    /times\.attempt must be a number of ms from 100; found 60: it is in ms, not in seconds$/,
  ],
  [{ times: { call: 60 } }, /times\.call must be a number of ms from 100; found 60: it is in ms, not in seconds$/],
  [{ times: { skew: -5 } }, /times\.skew must be a number of ms that is 0, or from 100; found -5$/],
  [{ times: { skew: 60 } }, /times\.skew must be .* from 100; found 60: it is in ms, not in seconds$/],
  [
    { times: { skew: Number.POSITIVE_INFINITY } },
    /times\.skew must be a number of ms that is 0, or from 100; found Infinity$/,
  ],
  [{ drain: '10' }, /drain must be a number of ms from 0; found "10"$/],
  [{ drain: Number.NaN }, /drain must be a number of ms from 0; found NaN$/],
  [{ drain: 30 }, /drain must be a number of ms from 0; found 30: it is in ms, not in seconds$/],
  [{ workers: '3' }, /workers must be a whole number from 1; found "3"$/],
  [{ workers: 0 }, /workers must be a whole number from 1; found 0$/],
  [{ tenantBy: 'team' }, /tenantBy must be 'namespace', or a function \(workspace\) => tenant; found "team"$/],
  [{ tenantIntegrations: 'x' }, /tenantIntegrations must be an object of integration types by name; found "x"$/],
  [
    { tenantIntegrations: [] },
    /tenantIntegrations must be an object of integration types by name; found an array of 0$/,
  ],
  [
    { tenantIntegrations: { acme: () => ({}) } },
    /tenantIntegrations\["acme"\] must be an integration type, such as defineTenantIntegration returns; found a function$/,
  ],
  [{ orphan: ['Acme DNS'] }, /orphan\[0\] must be the name of an integration, such as acme-dns; found "Acme DNS"$/],
  [
    { orphan: ['old', 'se.quencer.io/acme-dns'] },
    /orphan\[1\] must be the name of an integration, without se\.quencer\.io\/; found "se\.quencer\.io\/acme-dns"; did you mean acme-dns\?$/,
  ],
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

const acmeDns = { name: 'acme-dns', condition: 'DNS', handles: () => true, connect: none };

test('an orphan that is registered is refused with both places', (t) => {
  t.throws(() => check({ client, integrations: [acmeDns], orphan: ['acme-dns'] }), {
    instanceOf: TypeError,
    message: 'createSequencer: orphan[0] names acme-dns, which is integrations[0]: remove it from one of the two',
  });
});

for (const [entry, message] of [
  [function acme() {}, 'is not an integration, but the function acme (was its function called?): write acme({ … })'],
  [Promise.resolve(acmeDns), 'is not an integration, but a Promise: write `await` before it'],
  [undefined, 'is not an integration, but undefined'],
  [[acmeDns], 'is not an integration, but an array of 1: write `...` before it'],
  [acmeDns, 'is the same as integrations[0]: list it once'],
] as const)
  test(`an entry ${message}`, (t) => {
    t.throws(() => check({ client, integrations: [acmeDns, entry] }), {
      instanceOf: TypeError,
      message: `createSequencer: integrations[1] ${message}`,
    });
  });

test('a hole among the integrations is refused with its index', (t) => {
  t.throws(() => check({ client, integrations: new Array(1) }), {
    message: 'createSequencer: integrations[0] is not an integration, but undefined',
  });
});

test('right options pass, also where they are undefined', (t) => {
  t.notThrows(() => check({ client, integrations: [], namespace: undefined, times: { lease: 500 }, orphan: [] }));
  const edges = { lease: 3_600_000, margin: 100, maxRequest: 0, attempt: 100, call: 100, skew: 0 };
  const orphan = ['former-dns'];
  t.notThrows(() => check({ client, integrations: [acmeDns], times: edges, drain: 0, workers: 1, orphan }));
});
