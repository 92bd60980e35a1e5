import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { blocksOf } from '../../project/docs/examples/blocks.ts';
import { runToEnd, start } from '../sequencer/cli/a-terminal.ts';

const root = join(import.meta.dirname, '../../..');
const config = 'examples/preview/sequencer.config.ts';
const blocks = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'));
const nothing = /^Nothing is left: (\w[\w ]* 0, ){10}comments 0$/m;

/** Returns a pattern for a line in which `…` stands for anything; how far it is indented depends on the digits of its time. */
const patternOf = (line: string): RegExp =>
  new RegExp(
    `^ *${line
      .trimStart()
      .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll('…', '.*')}$`,
  );

test.serial('the preview example prints what README says, and nothing is left', async (t) => {
  const command = blocks.findIndex(({ text: lines }) => lines.includes(`npm start -- --config ${config}`));
  const { language, text: shown } = blocks[command + 1]!;
  t.is(language, 'text');
  const { code, stdout, stderr } = await runToEnd(['dev', '--config', config, '--once']);
  t.deepEqual([code, stderr], [0, ''], stdout);
  t.regex(stdout, nothing);
  const printed = stdout.split('\n');
  for (const line of shown.split('\n').filter((one) => one.trim() !== '…')) {
    const at = printed.findIndex((one) => patternOf(line).test(one));
    t.not(at, -1, `${line}\nis not printed, or not after what stands before it:\n${stdout}`);
    printed.splice(0, at + 1);
  }
});

/** Gets a page as the printed command does: with this authority, from this port. */
const curled = (host: string, { ca, port }: { readonly ca: string; readonly port: string }): Promise<string> =>
  new Promise((resolve, reject) => {
    const from = { host: '127.0.0.1', port, servername: host, headers: { host }, ca, agent: false };
    request(from, (answer) => void text(answer).then(resolve, reject))
      .on('error', reject)
      .end();
  });

test.serial(
  'its commands work while it stays: the page, and another pull request, which goes with the first',
  async (t) => {
    const command = start(['dev', '--config', config]);
    const [, file = '', port = ''] = await command.printed(
      /^look +curl --cacert (\S+) --connect-to ::127\.0\.0\.1:(\d+) /m,
    );
    const [, authorization = '', body = '', url = ''] = await command.printed(
      /^another +curl -H '\w+: (.*)' -d '(.*)' (\S+)$/m,
    );
    await command.printed(/^Ready\. Ctrl-C ends the walkthrough\.$/m);
    const ca = readFileSync(file, 'utf8');
    t.regex(
      await curled('pr-1.preview.example.com', { ca, port }),
      /^shop of commit \w{7}, database ws_\w+, bucket ws-\w+\n$/,
    );
    await t.throwsAsync(
      curled('pr-2.preview.example.com', { ca, port }),
      undefined,
      'there is no certificate of it yet',
    );
    t.is((await fetch(url, { method: 'POST', headers: { authorization }, body })).status, 201);
    await command.printed(/default\/shop-2 {2}DNS +Completed/);
    t.regex(await curled('pr-2.preview.example.com', { ca, port }), /^shop of commit/);
    command.process.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    t.deepEqual([code, stderr], [0, '']);
    t.regex(stdout, /^pull request 2 of acme\/shop is closed$/m);
    t.regex(stdout, nothing);
  },
);
