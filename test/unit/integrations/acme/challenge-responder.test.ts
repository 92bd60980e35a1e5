import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'ava';
import {
  challengePrefix,
  pathOfChallenge,
  responderName,
  responderOf,
  responderPort,
} from '../../../../integrations/acme/challenge-responder.ts';
import { freePorts } from '../../../system/real/free-ports.ts';
import { until } from '../../../system/real/until.ts';
import { aWorkspace } from '../../a-workspace.ts';

const challenges = ['a', 'b'].map((token) => ({
  url: 'https://ca.example.test/1',
  name: token,
  text: `${token}.thumb`,
}));

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

function ask(port: number, { method = 'GET', path, headers = {} }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (response) => {
      resolve(`${response.statusCode} ${await text(response)}`.trim());
    })
      .on('error', reject)
      .end();
  });
}

test('a responder says what its order’s challenges ask for, and 404 to all else', async (t) => {
  const { pod } = responderOf(aWorkspace(), challenges, 'node');
  const [{ command = [], env = [] } = {}] = pod.spec!.containers;
  const [port = 0] = await freePorts(1);
  const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  const child = spawn(process.execPath, command.slice(1), {
    env: { ...settings, PORT: String(port) },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  t.teardown(() => child.kill('SIGKILL'));
  const path = pathOfChallenge(challenges[0]!);
  t.is(path, '/.well-known/acme-challenge/a');
  const first = await until(() => ask(port, { path }), { deadline: 20_000, interval: 20, message: String });
  t.is(first, '200 a.thumb');
  t.is(await ask(port, { path: `${challengePrefix}b`, headers: { host: 'anything' } }), '200 b.thumb');
  t.is(await ask(port, { path, method: 'HEAD' }), '200');
  for (const asked of [
    ...['c', '', 'a.thumb', 'a/', 'A', 'a?x', '../a', '__proto__', 'constructor'].map((one) => challengePrefix + one),
    ...['/', '/a', `/${path}`, path.replaceAll('a', '%61'), 'http://other.example.test/', '*'],
  ])
    t.is(await ask(port, { path: asked }), '404 no such challenge', asked);
  t.is(await ask(port, { path, method: 'POST' }), '404 no such challenge');
  t.is(await ask(port, { path: `${path}${'x'.repeat(9_000)}` }), '431');
  t.is(await ask(port, { path }), '200 a.thumb');
  child.kill('SIGTERM');
  t.deepEqual(await ended, [0, null]);
});

test('a responder has a name of its own for each order, and its Service finds its pod alone', (t) => {
  const { pod, service } = responderOf(aWorkspace(), challenges, 'example.test/node:22');
  t.is(pod.metadata.name, service.metadata.name);
  t.regex(pod.metadata.name!, /^shop-acme-[0-9a-f]{10}$/);
  t.not(responderName(aWorkspace(), challenges.slice(1)), pod.metadata.name);
  t.deepEqual(service.spec?.selector, pod.metadata.labels);
  t.deepEqual(service.spec?.ports, [{ name: 'http', port: responderPort }]);
  t.is(pod.spec?.containers[0]?.image, 'example.test/node:22');
});
