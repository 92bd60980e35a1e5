import test from 'ava';
import { type AwsRequest, fetchHandler } from '../../../../integrations/aws/fetch-handler.ts';

const request: AwsRequest = {
  method: 'POST',
  protocol: 'https:',
  hostname: 'aws.test',
  port: 8443,
  path: '/zone/Z1/sets',
  query: { name: 'a b', type: ['A', 'TXT'], flag: null },
  headers: { host: 'aws.test', 'x-own': '1' },
  body: '<a/>',
};

test('a request goes out as the AWS SDK made it, and its answer comes back', async (t) => {
  const sent: unknown[] = [];
  const { signal } = new AbortController();
  const handler = fetchHandler(async (url, { method, headers, redirect, body, signal: given } = {}) => {
    sent.push(url, method, headers, redirect, body, given);
    return new Response('<b/>', { status: 207, headers: { 'x-answer': '2' } });
  });
  const { response } = await handler.handle(request, { abortSignal: signal });
  const url = 'https://aws.test:8443/zone/Z1/sets?name=a+b&type=A&type=TXT&flag=';
  t.deepEqual(sent, [url, 'POST', { 'x-own': '1' }, 'manual', '<a/>', signal]);
  t.is(response.statusCode, 207);
  t.is(response.headers['x-answer'], '2');
  t.is(new TextDecoder().decode(response.body), '<b/>');
});

test('the error of a fetch is thrown as it is', async (t) => {
  const lost = new TypeError('fetch failed');
  const { port: _, query: __, ...plain } = request;
  const handler = fetchHandler(async (url) => {
    t.is(url, 'https://aws.test/zone/Z1/sets');
    throw lost;
  });
  t.is(await t.throwsAsync(handler.handle(plain)), lost);
});
