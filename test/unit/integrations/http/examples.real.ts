import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { hooksClient } from '../../../../integrations/http/index.ts';
import { signedHeaders, signingKeyOf } from '../../../../integrations/http/signature.ts';
import { DefiniteError } from '../../../../sdk/index.ts';
import { blocksOf } from '../../../project/docs/examples/blocks.ts';
import { runToEnd } from '../../sequencer/cli/a-terminal.ts';
import { startRealHooksServer } from './a-real-server.ts';
import { secret } from './subject.ts';

const owner = { uid: 'u', namespace: 'n', workspace: 'w', condition: 'Box', mark: 'u/Box/' };
const { signal } = new AbortController();

for (const language of ['Python', 'Go'] as const) {
  test.serial(`${language}: sequencer prove says that it holds`, async (t) => {
    const server = await startRealHooksServer(language);
    t.teardown(() => server.close());
    const { code, stdout, stderr } = await runToEnd(['prove', server.url, '--time', 'virtual', '--match', 'crash'], {
      env: { HOOKS_SECRET: secret },
    });
    t.is(stderr, '');
    t.regex(stdout, /✔ survives a crash before and after every effect/);
    t.is(code, 0);
  });

  test.serial(
    `${language}: what is not signed, too old, sent before, too long or of another protocol has no effect`,
    async (t) => {
      const server = await startRealHooksServer(language, []);
      t.teardown(() => server.close());
      const send = async (
        body: string,
        { key = signingKeyOf(secret)!, now = Date.now(), id = randomUUID() as string } = {},
      ) => {
        const headers = signedHeaders([key], { id, now, body });
        const answer = await fetch(server.url, { method: 'POST', headers, body });
        const { error } = (await answer.json()) as {
          readonly error?: { readonly effect: string; readonly message: string };
        };
        return [answer.status, error?.effect, error?.message];
      };
      const find = JSON.stringify({ protocol: 'hooks/v1', function: 'find', owner });
      t.deepEqual(await send(find, { id: 'once' }), [200, undefined, undefined]);
      t.deepEqual(await send(find, { id: 'once' }), [401, 'none', 'was sent before']);
      t.deepEqual(await send(find, { key: Buffer.alloc(32) }), [401, 'none', 'wrong signature']);
      for (const now of [Date.now() - 400_000, Date.now() + 400_000])
        t.deepEqual(await send(find, { now }), [401, 'none', 'too old, or too early: compare the clocks']);
      t.deepEqual(await send(find.replace('v1', 'v2')), [400, 'none', 'the protocol is hooks/v1']);
      t.like(await send(`"${'x'.repeat(2 ** 20)}"`), [413, 'none']);
      t.like(await send(JSON.stringify({ protocol: 'hooks/v1', function: 'find' })), [400, 'none']);
    },
  );

  test.serial(`${language}: what is asked of a server that is being proved is not answered in earnest`, async (t) => {
    const { url, close } = await startRealHooksServer(language, []);
    t.teardown(close);
    const client = hooksClient({ name: 'boxes', url, secret });
    t.is((await client.call('describe', {}, signal)).testing, undefined);
    for (const name of ['testList', 'testDrift', 'testReset'] as const)
      await t.throwsAsync(client.call(name, {}, signal), { instanceOf: DefiniteError, message: /no such function/ });
    await t.throwsAsync(client.call('create', { owner, key: 'k', wanted: { size: 1 } }, signal), {
      message: 'boxes: create: HTTP 422: a box has a size, a whole number, and a color, a text',
    });
  });
}

const page = blocksOf(readFileSync(join(import.meta.dirname, '../../../../integrations/http/protocol.md'), 'utf8'));

test.serial('the page shows what curl and openssl get from the example in Python', async (t) => {
  const { url, close } = await startRealHooksServer('Python', []);
  t.teardown(close);
  const script = page.find(({ language, text }) => language === 'sh' && text.startsWith('hook()'))!.text;
  const env = { ...process.env, HOOKS_SECRET: secret, HOOKS_URL: url };
  const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', env });
  t.is(printed, page.find(({ language }) => language === 'text')!.text);
});

test.serial('the page verifies what is signed here, in Python', (t) => {
  const body = '{"protocol":"hooks/v1"}';
  const isSigned = (key: Buffer, now = Date.now()) => {
    const headers = JSON.stringify(signedHeaders([Buffer.alloc(32), key], { id: 'msg_1', now, body }));
    const call = `import json\nprint(is_signed(${JSON.stringify(secret)}, json.loads(${JSON.stringify(headers)}), b${JSON.stringify(body)}))`;
    const { text } = page.find(({ language }) => language === 'python')!;
    return execFileSync('python3', ['-c', `${text}\n${call}`], { encoding: 'utf8' }).trim();
  };
  t.is(isSigned(signingKeyOf(secret)!), 'True');
  t.is(isSigned(Buffer.alloc(32, 1)), 'False');
  t.is(isSigned(signingKeyOf(secret)!, Date.now() - 400_000), 'False');
});
