import test from 'ava';
import { awsEndpoints } from '../../../../integrations/aws/endpoints.ts';

test('where the key comes from is known with the key alone', (t) => {
  const addresses = ['https://route53.amazonaws.com'];
  t.deepEqual(awsEndpoints({ accessKeyId: 'AKIAEXAMPLE' }, addresses), addresses);
  t.is(awsEndpoints({}, addresses), undefined);
});
