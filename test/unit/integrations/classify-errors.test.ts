import test from 'ava';
import { withClassifiedErrors } from '../../../integrations/classify-errors.ts';

test('an error of an operation is replaced; answers, arguments and other members are as they were', async (t) => {
  const failure = new Error('permission denied');
  const asked: unknown[] = [];
  const operations = withClassifiedErrors(
    { limit: 3, refuse: async () => Promise.reject(failure), add: async (one: number) => one + 1 },
    (error) => {
      asked.push(error);
      return new TypeError('replaced');
    },
  );
  t.is(operations.limit, 3);
  t.is(await operations.add(1), 2);
  await t.throwsAsync(operations.refuse(), { instanceOf: TypeError, message: 'replaced' });
  t.deepEqual(asked, [failure]);
});
