import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { createAuthority } from '../../../../cluster/pki/certificate.ts';
import { startHooksServer } from '../../../integrations/http/a-hooks-server.ts';
import { secret } from '../../../integrations/http/subject.ts';
import { runToEnd, start } from '../a-terminal.ts';

const env = { HOOKS_SECRET: secret };

test('a server that runs is proved over HTTP, in both kinds of time', async (t) => {
  const server = await startHooksServer({ secret, identity: 'tag' });
  t.teardown(() => server.close());
  for (const time of ['real', 'virtual']) {
    const { code, stdout, stderr } = await runToEnd(['prove', server.url, '--time', time, '--match', 'Completed'], {
      env,
    });
    t.is(stderr, '');
    t.regex(
      stdout,
      new RegExp(
        `^identity tag, ${time} time\n {2}✔ brings its condition to Completed .*\n\n1 proved, 0 failed, 0 not proved\n$`,
      ),
    );
    t.is(code, 0);
  }
});

test('a server is proved with two things for each workspace', async (t) => {
  const server = await startHooksServer({ secret, identity: 'name' });
  t.teardown(() => server.close());
  const args = ['prove', server.url, '--time', 'virtual', '--several', '--match', 'Completed'];
  const { code, stdout, stderr } = await runToEnd(args, { env });
  t.regex(stdout, /1 proved, 0 failed, 0 not proved\n$/, stderr);
  t.is(code, 0);
  const owners = [...server.places.values()].flatMap(({ boxes }) => [...boxes.values()].map(({ mark }) => mark));
  t.deepEqual(owners, [], 'each life ends with nothing');
});

test('a server whose certificate the system does not know is proved with its authority', async (t) => {
  const authority = createAuthority(Date.now());
  const server = await startHooksServer({ secret, identity: 'tag', tls: authority.issue(['127.0.0.1']) });
  const folder = mkdtempSync(join(tmpdir(), 'prove-'));
  t.teardown(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.certificate);
  const args = ['prove', server.url, '--time', 'virtual', '--match', 'Completed'];
  const trusted = await runToEnd([...args, '--ca', ca], { env });
  t.regex(trusted.stdout, /1 proved, 0 failed, 0 not proved\n$/, trusted.stderr);
  t.regex((await runToEnd(args, { env })).stderr, /E#2070: .* does not answer describe/);
  writeFileSync(ca, 'none');
  t.regex((await runToEnd([...args, '--ca', ca], { env })).stderr, /E#2001: .*ca must be certificates as PEM/);
});

test('Ctrl-C ends the wait for a server that does not answer', async (t) => {
  const server = createServer(() => command.process.kill('SIGINT'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const command = start(['prove', `http://127.0.0.1:${port}`], { env });
  const { code, stderr } = await command.ended;
  t.is(stderr, 'interrupted\n');
  t.is(code, 130);
});

test('a server that breaks a promise ends it with exit code 1', async (t) => {
  const server = await startHooksServer({ secret, identity: 'tag', isForgetful: true });
  t.teardown(() => server.close());
  const { code, stdout } = await runToEnd(['prove', server.url, '--time', 'virtual', '--match', 'find:'], { env });
  t.regex(stdout, /✘ find: answers what is its owner’s.*\n {6}find answers nothing for what create has just made/);
  t.regex(stdout, /0 proved, 1 failed, 0 not proved\n$/);
  t.is(code, 1);
});

for (const [what, args, stderr] of [
  ['no address', [], /^error E#2001: sequencer prove: needs one address\n {2}sequencer prove http/],
  [
    'a wish that is not JSON',
    ['http://127.0.0.1:1', '--wanted', 'size=1'],
    /--wanted needs an object as JSON, such as '\{"size":1\}'; found "size=1"/,
  ],
  [
    'a lease of half a second',
    ['http://127.0.0.1:1', '--lease', '500ms'],
    /--lease needs whole seconds; found "500ms"/,
  ],
  ['a file that is not there', ['http://127.0.0.1:1', '--ca', '/none'], /--ca needs a file that can be read: ENOENT/],
  ['an address that is none', ['hooks'], /E#2001: sequencer prove: httpHooks: url must be an address/],
  [
    'no server',
    ['http://127.0.0.1:1'],
    /^error E#2070: http:\/\/127\.0\.0\.1:1 does not answer describe: .*\n {2}check that it runs/,
  ],
] as const)
  test(`${what} is reported`, async (t) => {
    const ended = await runToEnd(['prove', ...args], { env });
    t.is(ended.code, 1);
    t.regex(ended.stderr, stderr);
  });

test('without its secret nothing is asked', async (t) => {
  const { stderr } = await runToEnd(['prove', 'http://127.0.0.1:1'], { env: { HOOKS_SECRET: '' } });
  t.regex(stderr, /^error E#2001: sequencer prove: HOOKS_SECRET is not set\n {2}export HOOKS_SECRET=whsec_/);
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const)
  test(`${signal} ends it with exit code 130, and it names the case whose things may be left at the server`, async (t) => {
    const server = await startHooksServer({ secret, identity: 'tag' });
    t.teardown(() => server.close());
    const proof = start(['prove', server.url], { env });
    await proof.printed(/^ {2}✔ /m);
    proof.process.kill(signal);
    const { code, stdout, stderr } = await proof.ended;
    t.is(code, 130, stderr);
    t.regex(stdout, /\ninterrupted in the case "[^"]+": what it has made may still be at http:\S+\n$/);
  });
