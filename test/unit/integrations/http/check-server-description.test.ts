import test from 'ava';
import { descriptionMismatch, serverDescriptionCheck } from '../../../../integrations/http/check-server-description.ts';
import { HookMissingError, type HooksClient } from '../../../../integrations/http/client.ts';
import { DefiniteError, ThrottledError } from '../../../../sdk/index.ts';

const declared = { name: 'box', identity: 'name', validForMs: 0, functions: ['find', 'update'] } as const;
const said = { identity: 'name', functions: ['find', 'update', 'observe'] } as const;
const { signal } = new AbortController();

const clientThat = (...answers: readonly unknown[]) => {
  const queue = [...answers];
  const client = {
    async call() {
      const answer = queue.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as HooksClient;
  return { queue, agreed: serverDescriptionCheck(client, declared) };
};

for (const [what, options, mistake] of [
  ['more functions than are used', {}, undefined],
  ['another identity', { identity: 'opaque' }, /identity is name there, and the option says opaque/],
  ['a function that is not there', { functions: ['find', 'replaceMark'] }, /does not have replaceMark/],
] as const)
  test(`${what}`, (t) => {
    const told = descriptionMismatch({ ...declared, ...options }, said);
    if (mistake === undefined) t.is(told, undefined);
    else t.regex(told ?? '', mistake);
  });

test('keys have to be remembered for as long as the options say', (t) => {
  const keyed = { ...declared, identity: 'key', validForMs: 2 } as const;
  t.regex(descriptionMismatch(keyed, { ...said, identity: 'key', validForMs: 1 }) ?? '', /remembered for 1 ms there/);
  t.is(descriptionMismatch(keyed, { ...said, identity: 'key', validForMs: 2 }), undefined);
});

test('a server is asked until it has answered once', async (t) => {
  const { agreed, queue } = clientThat(new Error('reset'), said, said);
  await t.throwsAsync(agreed(signal), { instanceOf: DefiniteError, message: /nothing was made.*reset/ });
  await agreed(signal);
  await agreed(signal);
  t.is(queue.length, 1);
});

test('a server without describe is trusted', async (t) => {
  await t.notThrowsAsync(clientThat(new HookMissingError('no')).agreed(signal));
});

test('patience stays patience, and a disagreement is a refusal that says what to do', async (t) => {
  await t.throwsAsync(clientThat(new ThrottledError('later', 5)).agreed(signal), { instanceOf: ThrottledError });
  await t.throwsAsync(clientThat({ ...said, identity: 'tag' }).agreed(signal), {
    instanceOf: DefiniteError,
    message:
      'box: the server is not as the options say: identity is tag there, and the option says name: change one of them',
  });
});
