import test from 'ava';
import { type Ended, start } from '../a-terminal.ts';

test('sequencer dev serves its page to clients with the printed token', async (t) => {
  const command = start(['dev', '--control']);
  const [, address = '', token = ''] = await command.printed(/^page +(http:\/\/127\.0\.0\.1:\d+\/)#(\S+)$/m);
  await command.printed(/^Ready\./m);
  const headers = { authorization: `Bearer ${token}` };
  t.is((await fetch(`${address}api/live`)).status, 401);
  const live = await fetch(`${address}api/live?workspace=default%2Fshop`, { headers });
  const text: string[] = [];
  for await (const chunk of live.body!.pipeThrough(new TextDecoderStream())) {
    text.push(chunk);
    if (/event: objects/.test(text.join(''))) break;
  }
  t.regex(text.join(''), /"controls":\["drop-answer","kill","kill-in-change","wipe-status","fix"\]/);
  t.regex(text.join(''), /"resource":"pods","namespace":"default","name":"shop-web"/);
  const plan = await fetch(`${address}api/plan?workspace=default%2Fshop`, { method: 'POST', headers });
  t.like(await plan.json(), { message: 'nothing would be changed' });
  command.process.kill('SIGINT');
  const { code, stdout, stderr }: Ended = await command.ended;
  t.deepEqual([code, stderr], [0, '']);
  t.regex(stdout, /Nothing is left\n$/);
});
