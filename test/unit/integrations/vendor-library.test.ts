import test from 'ava';
import { vendorLibrary } from '../../../integrations/vendor-library.ts';
import { DefiniteError } from '../../../sdk/index.ts';

const load = (name: string) => async (): Promise<unknown> => import(name);

test('a library that is installed is loaded', async (t) => {
  t.is(await vendorLibrary('a', 'integrations/a', async () => 'module'), 'module');
});

test('the one that is missing is named, with the door that needs it', async (t) => {
  const error = await t.throwsAsync(vendorLibrary('no-such-package', 'integrations/a', load('no-such-package')), {
    instanceOf: DefiniteError,
    message: 'workspace-sequencer/integrations/a needs the package no-such-package: npm install no-such-package',
  });
  t.truthy(error.cause);
});

test('an error within the library is not taken for its absence', async (t) => {
  await t.throwsAsync(vendorLibrary('a-library', 'integrations/a', load('another-package')), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  await t.throwsAsync(
    vendorLibrary('a', 'integrations/a', async () => {
      throw new Error('broken');
    }),
    { message: 'broken' },
  );
});
